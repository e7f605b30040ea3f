import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ClickBreakdownQuery } from './breakdowns/click-breakdown.query';
import { ClickSumBuilder } from './breakdowns/click-sum-builder';
import { ClickBreakdownRow, ClickLinkSumRow, ClickSumRow } from './breakdowns/click-sums.entities';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';
import { CustomerClicksQuery } from './customers/customer-clicks.query';
import { CustomerSums } from './customers/customer-sums';
import { ClickHousekeeping } from './retention/click-housekeeping';
import { ClickRetention } from './retention/click-retention';
import { ClickMonths } from './rollups/click-months';
import { VisitorsQuery } from './visitors.query';
import { ClickRow } from './counting/click.entity';
import { CampaignCustomer, CustomerAdditions, CustomerDay, CustomerSum } from './customers/customer.entities';
import { ClickRetentionMark } from './retention/click-retention.entity';
import { ClickMonth, DueClickMonth, ListedClickMonth } from './rollups/click-month.entities';
import { ClickDay, ClickTotal } from './rollups/click-rollup.entities';
import { ClickVisitor, VisitorDayRollup, VisitorWeekRollup } from './rollups/visitor-rollup.entities';

const QUERIES = [
  ClickBreakdownQuery,
  ClickTotalsQuery,
  ClickStatisticsQuery,
  CustomerClicksQuery,
  VisitorsQuery,
];

/** The reading half of the click pipeline: statistics, compaction and retention. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      CampaignCustomer,
      ClickDay,
      ClickMonth,
      ClickBreakdownRow,
      ClickLinkSumRow,
      ClickRetentionMark,
      ClickRow,
      ClickSumRow,
      ClickTotal,
      ClickVisitor,
      CustomerAdditions,
      CustomerDay,
      CustomerSum,
      DueClickMonth,
      ListedClickMonth,
      VisitorDayRollup,
      VisitorWeekRollup,
    ]),
    AccessModule,
    ClicksModule,
  ],
  providers: [...QUERIES, ClickHousekeeping, ClickSumBuilder, ClickRetention, ClickMonths, CustomerSums],
  exports: QUERIES,
})
export class ClickStatisticsModule {}
