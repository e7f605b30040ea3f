import { Title } from '@mantine/core';
import { useTexts } from '../../texts/texts';
import { menuTexts } from '../../texts/menu';

export function OverviewPage() {
  const t = useTexts(menuTexts);
  return <Title order={1}>{t('overview')}</Title>;
}
