import { Module } from '@nestjs/common';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';
import { InstallStatisticsQuery } from './install-statistics.query';

/** The read side: one figure, one file, one parameterised query over rollups. */
@Module({
  providers: [ClickTotalsQuery, ClickStatisticsQuery, InstallStatisticsQuery],
  exports: [ClickTotalsQuery, ClickStatisticsQuery, InstallStatisticsQuery],
})
export class StatisticsModule {}
