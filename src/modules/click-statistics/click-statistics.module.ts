import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';
import { CustomerClicksQuery } from './customers/customer-clicks.query';
import { CustomerSums } from './customers/customer-sums';
import { ClickHousekeeping } from './retention/click-housekeeping';
import { ClickRetention } from './retention/click-retention';
import { ClickMonths } from './rollups/click-months';
import { VisitorsQuery } from './visitors.query';

const QUERIES = [ClickTotalsQuery, ClickStatisticsQuery, CustomerClicksQuery, VisitorsQuery];

/** The reading half of the click pipeline: statistics, compaction and retention. */
@Module({
  imports: [AccessModule, ClicksModule],
  providers: [...QUERIES, ClickHousekeeping, ClickRetention, ClickMonths, CustomerSums],
  exports: QUERIES,
})
export class ClickStatisticsModule {}
