import { Stack } from '@mantine/core';
import { ClickStatistics } from '../../../plots/statistics/click-statistics';
import { Variants } from '../../link/statistics/variants';
import type { Campaign } from '../campaign';

export function Statistics({ campaign }: { campaign: Campaign }) {
  return (
    <Stack gap="md">
      <ClickStatistics scope={{ campaign: campaign.id }} />
      <Variants kind="campaign" link={campaign} />
    </Stack>
  );
}
