import { Module } from '@nestjs/common';
import { AppClicksQuery } from './app-clicks.query';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';

/** The read side: one figure, one file, one parameterised query over rollups. */
@Module({
  providers: [AppClicksQuery, ClickTotalsQuery, ClickStatisticsQuery],
  exports: [AppClicksQuery, ClickTotalsQuery, ClickStatisticsQuery],
})
export class StatisticsModule {}
