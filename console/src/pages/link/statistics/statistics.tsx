import { Stack } from '@mantine/core';
import { ClickStatistics } from '../../../plots/statistics/click-statistics';
import { useAnalyticsView } from '../../../plots/use-analytics-view';
import type { Link } from '../../links/link';
import { Installs } from './installs';
import { Variants } from './variants';

/** Clicks, variants, installs and funnel of a link, for the range in the URL. */
export function Statistics({ link }: { link: Link }) {
  const { days } = useAnalyticsView();
  return (
    <Stack gap="md">
      <ClickStatistics scope={{ link: link.id }} />
      <Variants kind="link" link={link} />
      <Installs link={link} days={days} />
    </Stack>
  );
}
