import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/date-range';
import { toDateTime } from '../../../common/time/format';
import { Database, type Tx } from '../../../infrastructure/database/database';
import { wholeApp } from '../../sessions/statistics/session-subject';
import { SessionEventsQuery } from '../../sessions/statistics/session-events.query';
import { SessionSourcesQuery } from '../../sessions/statistics/session-sources.query';
import { SessionUsersQuery } from '../../sessions/statistics/session-users.query';
import { SessionsQuery } from '../../sessions/statistics/sessions.query';
import { statisticsRange } from '../../click-statistics/statistics-range';
import { TransitionsQuery } from '../../sessions/statistics/transitions.query';
import { toDays, toPlatforms, toSessions, toSources, toTotals, toTransitions } from './session-figures';
import type {
  JourneyDaily,
  JourneyDashboard,
  SessionStatisticsRequest,
  JourneySummary,
  SessionsByPlatform,
  SessionsByUtmSource,
  SessionSummary,
  TransitionSummary,
  TransitionTrend,
} from './session-statistics.dto';

/** Statistics of an app's sessions over days in its organization's time zone. All methods throw InvalidDateRange. */
@Injectable()
export class SessionStatisticsService {
  constructor(
    private readonly sessions: SessionsQuery,
    private readonly users: SessionUsersQuery,
    private readonly events: SessionEventsQuery,
    private readonly sources: SessionSourcesQuery,
    private readonly transitions: TransitionsQuery,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async summary(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneySummary> {
    const { range, shown } = this.rangeOf(app, query);
    const figures = await this.database.report(app.organizationId, (tx) => this.figures(tx, app, range));
    return { ...toTotals(...figures), ...shown };
  }

  async daily(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDaily> {
    const { range, shown } = this.rangeOf(app, query);
    const figures = await this.database.report(app.organizationId, (tx) => this.figures(tx, app, range));
    return { ...shown, daily: toDays(range, ...figures) };
  }

  async sessionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionSummary> {
    const { range, shown } = this.rangeOf(app, query);
    const [sessions, users] = await this.database.report(app.organizationId, (tx) =>
      this.figures(tx, app, range),
    );
    return { ...toSessions(sessions, users), ...shown };
  }

  async byPlatform(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByPlatform> {
    const { range, shown } = this.rangeOf(app, query);
    const sessions = await this.database.report(app.organizationId, (tx) =>
      this.sessions.run(tx, wholeApp(app), range),
    );
    return { ...shown, items: toPlatforms(sessions) };
  }

  async byUtmSource(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByUtmSource> {
    const { range, shown } = this.rangeOf(app, query);
    const items = await this.database.report(app.organizationId, async (tx) =>
      toSources(await this.sessions.run(tx, wholeApp(app), range), await this.sources.run(tx, app, range)),
    );
    return { ...shown, items };
  }

  async transitionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionSummary> {
    const { range, shown } = this.rangeOf(app, query);
    const transitions = await this.database.report(app.organizationId, (tx) =>
      this.transitions.run(tx, app, range),
    );
    return { ...shown, ...toTransitions(transitions) };
  }

  async transitionTrend(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionTrend> {
    const { range, shown } = this.rangeOf(app, query);
    const { byDate } = await this.database.report(app.organizationId, (tx) =>
      this.transitions.run(tx, app, range),
    );
    return { ...shown, daily: range.days.map((date) => ({ date, count: byDate.get(date) ?? 0 })) };
  }

  async dashboard(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDashboard> {
    const { range, shown } = this.rangeOf(app, query);
    return this.database.report(app.organizationId, async (tx) => {
      const figures = await this.figures(tx, app, range);
      const [sessions] = figures;
      return {
        summary: { ...toTotals(...figures), ...shown },
        daily: toDays(range, ...figures),
        byPlatform: toPlatforms(sessions),
        byUtmSource: toSources(sessions, await this.sources.run(tx, app, range)),
        transitions: toTransitions(await this.transitions.run(tx, app, range)),
        topEvents: await this.events.top(tx, app, range),
        ...shown,
      };
    });
  }

  private async figures(tx: Tx, app: AppCaller, range: DayRange) {
    return [
      await this.sessions.run(tx, wholeApp(app), range),
      await this.users.run(tx, app, range),
      await this.events.run(tx, app, range),
    ] as const;
  }

  private rangeOf(app: AppCaller, query: SessionStatisticsRequest) {
    const { timeZone, timeZoneChangedAt } = app.organization;
    const { range, meta } = statisticsRange(app, query, this.clock.date(), {
      timeZone,
      kept: 'eventRetentionDays',
    });
    const { startDate, endDate } = range;
    const zone = { timeZone, timeZoneChangedAt: toDateTime(timeZoneChangedAt) };
    return { range, shown: { startDate, endDate, ...zone, meta } };
  }
}
