import { Badge, Tooltip } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { WARNING } from '../../kit/colors';
import { useTexts } from '../../texts/texts';
import { appTexts } from './texts';

/** Whether links can open an app, and if not, why. */
export function AppState({ of: { warnings } }: { of: Schemas['AppResponse'] }) {
  const t = useTexts(appTexts);
  if (warnings.length === 0) return <Badge color="teal.9">{t('complete')}</Badge>;
  return (
    <Tooltip label={warnings.map(({ code }) => t(code)).join(' ')} multiline maw={340}>
      <Badge color={WARNING}>{t('missing', { count: warnings.length })}</Badge>
    </Tooltip>
  );
}
