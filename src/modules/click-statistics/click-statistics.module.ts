import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ClickBreakdownQuery } from './breakdowns/click-breakdown.query';
import { ClickSumBuilder } from './breakdowns/click-sum-builder';
import { ClickSumSchedule } from './breakdowns/click-sum-schedule';
import { ClickExport } from './click-log/click-export';
import { ClickLog } from './click-log/click-log';
import { ClickLogQuery } from './click-log/click-log.query';
import { ClickStatisticsQuery } from './click-statistics.query';
import { CustomerClicksQuery } from './customers/customer-clicks.query';
import { ClicksOfCustomer } from './customers/clicks-of-customer.query';
import { ClickHousekeeping } from './retention/click-housekeeping';
import { ClickRetention } from './retention/click-retention';
import { LiveBatchesQuery } from './live/live-batches.query';
import { LiveClicks } from './live/live-clicks';
import { LiveFeeds } from './live/live-feeds';
import { VisitorsQuery } from './visitors.query';

const QUERIES = [
  ClicksOfCustomer,
  ClickBreakdownQuery,
  ClickStatisticsQuery,
  CustomerClicksQuery,
  VisitorsQuery,
];
const LOG = [ClickExport, ClickLog, LiveClicks, LiveFeeds];

/** The reading part of the click pipeline: statistics, compaction and retention. */
@Module({
  imports: [AccessModule, ClicksModule],
  providers: [
    ...QUERIES,
    ...LOG,
    ClickHousekeeping,
    ClickLogQuery,
    ClickSumBuilder,
    ClickSumSchedule,
    ClickRetention,
    LiveBatchesQuery,
  ],
  exports: [...QUERIES, ...LOG, ClickLogQuery],
})
export class ClickStatisticsModule {}
