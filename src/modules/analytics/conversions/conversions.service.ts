import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { FunnelStagesQuery } from '../../sessions/statistics/funnel-stages.query';
import { toFunnelStats } from '../../sessions/installs/funnel-stats';
import { GoalTypesQuery } from '../../sessions/statistics/goal-types.query';
import { GoalsQuery } from '../../sessions/statistics/goals.query';
import { seesRevenue } from '../../sessions/statistics/revenue-access';
import { SessionsQuery } from '../../sessions/statistics/sessions.query';
import { type AppAnalyticsQuery, platformOfWord, RESOURCE_KINDS } from '../analytics.atoms';
import { analyticsRange } from '../analytics-range';
import { toGoalTypeShares, toPlatformShares, toSessionStats } from './conversion-figures';
import type { ConversionsQuery, ConversionsResponse, GoalTypesResponse } from './conversions.dto';
import { OwnedApps } from '../owned-apps';
import { OwnedTrackedLinks } from '../owned-links';
import { ValidationFailed } from '../../../common/errors/errors';
import { ALL_OF_KIND } from '../../sessions/funnel';
import type { SessionSubject } from '../../sessions/statistics/session-subject';

/** Days covered by the list of goal types (docs/concepts/statistics.md#ranges). */
const GOAL_LIST_DAYS = 90;

@Injectable()
export class ConversionsService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly trackedLinks: OwnedTrackedLinks,
    private readonly sessions: SessionsQuery,
    private readonly stages: FunnelStagesQuery,
    private readonly goals: GoalsQuery,
    private readonly goalTypes: GoalTypesQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationFailed, InvalidDateRange, APP_NOT_OWNED, NotFound */
  async of(caller: Caller, query: ConversionsQuery): Promise<ConversionsResponse> {
    const { organizationId, organization } = caller;
    const { range, shown } = analyticsRange(caller, query, this.clock.date(), 'eventRetentionDays');
    const selected = conversionSubject(query);
    const { subject: apps } = await this.apps.selected(caller, query.appId);
    const subject = { ...apps, ...selected };
    const { kind } = subject;
    if (kind !== 'app' && query.resourceId)
      await this.trackedLinks.check(organizationId, kind, query.resourceId);
    const { baseCurrency } = organization;
    const { sessions, stages, goals } = await this.database.report(organizationId, async (tx) => ({
      sessions: await this.sessions.run(tx, subject, range),
      stages: await this.stages.run(tx, subject, range),
      goals: await this.goals.run(tx, subject, range, baseCurrency),
    }));
    return {
      appId: subject.appId,
      currency: baseCurrency,
      ...shown,
      sessionStats: toSessionStats(sessions),
      platformDistribution: toPlatformShares(sessions),
      goalTypeBreakdown: toGoalTypeShares(goals, seesRevenue(caller) ? baseCurrency : null),
      funnelStats: toFunnelStats(sessions.total.sessions, (stage) => stages.get(stage) ?? 0),
    };
  }

  /** @throws InvalidDateRange, APP_NOT_OWNED */
  async goalTypesOf(caller: Caller, query: AppAnalyticsQuery): Promise<GoalTypesResponse> {
    const { range, shown } = analyticsRange(caller, query, this.clock.date(), 'eventRetentionDays', {
      defaultDays: GOAL_LIST_DAYS,
    });
    const { subject } = await this.apps.selected(caller, query.appId);
    const goalTypes = await this.goalTypes.run(subject, range);
    return { appId: subject.appId, ...shown, goalTypes };
  }
}

/** The subset of sessions that a query selects. @throws ValidationFailed if its parameters contradict each other */
function conversionSubject(query: ConversionsQuery): Partial<SessionSubject> {
  const { sessionType, resourceType, resourceId } = query;
  if (resourceType && !resourceId)
    throw ValidationFailed.field('resourceId', 'is required with resourceType');
  if (resourceId && !resourceType)
    throw ValidationFailed.field('resourceType', 'is required with resourceId');
  const subject = { platform: platformOfWord(query.platform) };
  if (resourceType && resourceId) {
    if (sessionType !== 'all' && sessionType !== resourceType) {
      throw ValidationFailed.field('sessionType', 'must be all, or the resourceType');
    }
    return { ...subject, kind: RESOURCE_KINDS[resourceType] ?? 'link', ids: [resourceId] };
  }
  if (sessionType === 'all') return subject;
  return { ...subject, kind: RESOURCE_KINDS[sessionType] ?? 'app', ids: [ALL_OF_KIND] };
}
