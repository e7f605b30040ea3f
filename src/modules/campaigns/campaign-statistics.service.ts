import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { ClickStatisticsQuery } from '../click-statistics/click-statistics.query';
import {
  filteredPlatform,
  type InstallStatisticsResponse,
} from '../sessions/installs/install-statistics.dto';
import { InstallStatisticsQuery } from '../sessions/installs/install-statistics.query';
import { seesRevenue } from '../sessions/statistics/revenue-access';
import { RevenueStatisticsQuery } from '../sessions/statistics/revenue-statistics.query';
import { statisticsRange } from '../click-statistics/statistics-range';
import { CustomerClicksQuery } from '../click-statistics/customers/customer-clicks.query';
import {
  type CampaignInstallStatisticsQuery,
  type CampaignStatisticsQuery,
  type CampaignStatisticsResponse,
  toCampaignStatisticsResponse,
} from './campaign-statistics.dto';
import { CampaignViewsService } from './campaign-views.service';

/** Figures of one campaign over a range of days. */
@Injectable()
export class CampaignStatisticsService {
  constructor(
    private readonly campaigns: CampaignViewsService,
    private readonly clicks: ClickStatisticsQuery,
    private readonly users: CustomerClicksQuery,
    private readonly revenue: RevenueStatisticsQuery,
    private readonly installs: InstallStatisticsQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, NotFound */
  async clicksOf(
    caller: Caller,
    id: number,
    query: CampaignStatisticsQuery,
  ): Promise<CampaignStatisticsResponse> {
    const { range, meta } = statisticsRange(caller, query, this.clock.date());
    const { organizationId, organization } = caller;
    const campaign = await this.campaigns.get(caller, id);
    const customId = query.customId || null;
    const subject = { organizationId, campaignId: id, customId };
    const [clicks, users, revenue] = await Promise.all([
      customId === null ? this.clicks.run('campaign', id, range) : this.clicks.runOfUser(id, customId, range),
      this.users.run(id, range, customId),
      seesRevenue(caller) ? this.revenue.run(subject, range, organization.baseCurrency) : null,
    ]);
    return toCampaignStatisticsResponse(campaign, { clicks, users, revenue }, meta);
  }

  /** @throws InvalidDateRange, NotFound */
  async installsOf(
    caller: Caller,
    id: number,
    query: CampaignInstallStatisticsQuery,
  ): Promise<InstallStatisticsResponse> {
    const timeZone = query.timeZone ?? 'utc';
    const { range } = statisticsRange(caller, query, this.clock.date(), timeZone);
    const { organizationId } = caller;
    const { alias: name } = await this.campaigns.get(caller, id);
    const platform = filteredPlatform(query);
    return this.installs.run({ kind: 'campaign', organizationId, id, name, platform }, range, timeZone);
  }
}
