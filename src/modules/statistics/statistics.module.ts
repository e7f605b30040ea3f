import { Module } from '@nestjs/common';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';

/** The read side: one figure, one file, one parameterised query over rollups. */
@Module({
  providers: [ClickTotalsQuery, ClickStatisticsQuery],
  exports: [ClickTotalsQuery, ClickStatisticsQuery],
})
export class StatisticsModule {}
