import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { ClickStatisticsQuery } from '../../click-statistics/click-statistics.query';
import { InstallStatisticsQuery } from '../../sessions/installs/install-statistics.query';
import {
  filteredPlatform,
  type InstallStatisticsRequest,
  type InstallStatisticsResponse,
} from '../../sessions/installs/install-statistics.dto';
import type { DateRangeQuery } from '../../click-statistics/statistics.dto';
import { statisticsRange } from '../../click-statistics/statistics-range';
import { type LinkStatisticsResponse, toLinkStatisticsResponse } from './link-statistics.dto';
import { LinksRepository } from '../links.repository';
import { LinksService } from '../links.service';

@Injectable()
export class LinkStatisticsService {
  constructor(
    private readonly rows: LinksRepository,
    private readonly links: LinksService,
    private readonly clicks: ClickStatisticsQuery,
    private readonly installs: InstallStatisticsQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, NotFound */
  async clicksOf(caller: Caller, id: number, query: DateRangeQuery): Promise<LinkStatisticsResponse> {
    const { range, meta } = statisticsRange(caller, query, this.clock.date());
    const { organizationId } = caller;
    return this.database.report(organizationId, async (tx) => {
      const url = await this.links.get(caller, id, tx);
      return toLinkStatisticsResponse(
        url,
        await this.clicks.run(tx, 'link', { organizationId, id }, range),
        meta,
      );
    });
  }

  /** @throws InvalidDateRange, NotFound */
  async installsOf(
    caller: Caller,
    id: number,
    query: InstallStatisticsRequest,
  ): Promise<InstallStatisticsResponse> {
    const { range } = statisticsRange(caller, query, this.clock.date(), { kept: 'eventRetentionDays' });
    const link = await this.rows.get(caller.organizationId, id);
    const { organizationId } = caller;
    const platform = filteredPlatform(query);
    return this.installs.run({ kind: 'link', organizationId, id, name: link.code, platform }, range);
  }
}
