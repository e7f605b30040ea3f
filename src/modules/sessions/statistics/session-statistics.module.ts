import { Module } from '@nestjs/common';
import { ClickStatisticsModule } from '../../click-statistics/click-statistics.module';
import { FunnelStagesQuery } from './funnel-stages.query';
import { GoalGroupsQuery } from './goal-groups.query';
import { GoalTypesQuery } from './goal-types.query';
import { GoalsQuery } from './goals.query';
import { InstallStatisticsQuery } from '../installs/install-statistics.query';
import { RevenueStatisticsQuery } from './revenue-statistics.query';
import { SessionEventsQuery } from './session-events.query';
import { SessionSourcesQuery } from './session-sources.query';
import { SessionUsersQuery } from './session-users.query';
import { SessionsQuery } from './sessions.query';
import { TopConversionsQuery } from './top-conversions.query';
import { TransitionsQuery } from './transitions.query';
import { SessionHousekeeping } from '../rollups/session-housekeeping';
import { AccessModule } from '../../../access/access.module';

const QUERIES = [
  FunnelStagesQuery,
  GoalGroupsQuery,
  GoalTypesQuery,
  GoalsQuery,
  InstallStatisticsQuery,
  RevenueStatisticsQuery,
  SessionEventsQuery,
  SessionSourcesQuery,
  SessionUsersQuery,
  SessionsQuery,
  TopConversionsQuery,
  TransitionsQuery,
];

/** Statistics of sessions, goals and installs, read from rollups by one query class each. */
@Module({
  imports: [AccessModule, ClickStatisticsModule],
  providers: [...QUERIES, SessionHousekeeping],
  exports: [ClickStatisticsModule, ...QUERIES],
})
export class SessionStatisticsModule {}
