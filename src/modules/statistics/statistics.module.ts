import { Module } from '@nestjs/common';
import { ClickStatisticsQuery } from './click-statistics.query';
import { ClickTotalsQuery } from './click-totals.query';
import { FunnelStagesQuery } from './funnel-stages.query';
import { GoalTypesQuery } from './goal-types.query';
import { GoalsQuery } from './goals.query';
import { InstallStatisticsQuery } from './install-statistics.query';
import { RevenueStatisticsQuery } from './revenue-statistics.query';
import { SessionEventsQuery } from './session-events.query';
import { SessionSourcesQuery } from './session-sources.query';
import { SessionUsersQuery } from './session-users.query';
import { SessionsQuery } from './sessions.query';
import { TopConversionsQuery } from './top-conversions.query';
import { TopPurchasesQuery } from './top-purchases.query';
import { TransitionsQuery } from './transitions.query';
import { UserClicksQuery } from './user-clicks.query';
import { VisitorsQuery } from './visitors.query';

const QUERIES = [
  ClickTotalsQuery,
  ClickStatisticsQuery,
  FunnelStagesQuery,
  GoalTypesQuery,
  GoalsQuery,
  InstallStatisticsQuery,
  RevenueStatisticsQuery,
  SessionEventsQuery,
  SessionSourcesQuery,
  SessionUsersQuery,
  SessionsQuery,
  TopConversionsQuery,
  TopPurchasesQuery,
  TransitionsQuery,
  UserClicksQuery,
  VisitorsQuery,
];

/** The read side: one figure, one file, one parameterised query over rollups. */
@Module({
  providers: QUERIES,
  exports: QUERIES,
})
export class StatisticsModule {}
