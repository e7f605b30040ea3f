import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
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
import { CampaignsService } from './campaigns.service';

@Injectable()
export class CampaignStatisticsService {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly clicks: ClickStatisticsQuery,
    private readonly customers: CustomerClicksQuery,
    private readonly revenue: RevenueStatisticsQuery,
    private readonly installs: InstallStatisticsQuery,
    private readonly database: Database,
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
    const figures = await this.database.report(organizationId, async (tx) => ({
      clicks: await (customId === null
        ? this.clicks.run(tx, 'campaign', { organizationId, id }, range)
        : this.clicks.runOfCustomer(tx, { organizationId, id }, customId, range)),
      customers: await this.customers.run(tx, { organizationId, id }, range, customId),
      revenue: seesRevenue(caller)
        ? await this.revenue.run(tx, subject, range, organization.baseCurrency)
        : null,
    }));
    return toCampaignStatisticsResponse(campaign, figures, meta);
  }

  /** @throws InvalidDateRange, NotFound */
  async installsOf(
    caller: Caller,
    id: number,
    query: CampaignInstallStatisticsQuery,
  ): Promise<InstallStatisticsResponse> {
    const timeZone = query.timeZone ?? 'utc';
    const { range } = statisticsRange(caller, query, this.clock.date(), {
      timeZone,
      kept: 'eventRetentionDays',
    });
    const { organizationId } = caller;
    const { alias: name } = await this.campaigns.get(caller, id);
    const platform = filteredPlatform(query);
    return this.installs.run({ kind: 'campaign', organizationId, id, name, platform }, range, timeZone);
  }
}
