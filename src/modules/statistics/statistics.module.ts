import { Module } from '@nestjs/common';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';
import { InstallStatisticsQuery } from './install-statistics.query';
import { RevenueStatisticsQuery } from './revenue-statistics.query';
import { UserClicksQuery } from './user-clicks.query';

const QUERIES = [
  ClickTotalsQuery,
  ClickStatisticsQuery,
  InstallStatisticsQuery,
  RevenueStatisticsQuery,
  UserClicksQuery,
];

/** The read side: one figure, one file, one parameterised query over rollups. */
@Module({
  providers: QUERIES,
  exports: QUERIES,
})
export class StatisticsModule {}
