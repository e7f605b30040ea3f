import { ClickStatistics } from '../../../plots/statistics/click-statistics';
import type { Campaign } from '../campaign';

export function Statistics({ campaign }: { campaign: Campaign }) {
  return <ClickStatistics scope={{ campaign: campaign.id }} />;
}
