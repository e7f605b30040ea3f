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
  SessionStatisticsRange,
  SessionStatisticsRequest,
  JourneySummary,
  SessionsByPlatform,
  SessionsByUtmSource,
  SessionSummary,
  TransitionSummary,
  TransitionTrend,
} from './session-statistics.dto';

type Shown = Pick<SessionStatisticsRange, keyof SessionStatisticsRange>;

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

  summary(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneySummary> {
    return this.report(app, query, async (tx, range) => toTotals(...(await this.figures(tx, app, range))));
  }

  daily(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDaily> {
    return this.report(app, query, async (tx, range) => ({
      daily: toDays(range, ...(await this.figures(tx, app, range))),
    }));
  }

  sessionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionSummary> {
    return this.report(app, query, async (tx, range) => {
      const [sessions, users] = await this.figures(tx, app, range);
      return toSessions(sessions, users);
    });
  }

  byPlatform(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByPlatform> {
    return this.report(app, query, async (tx, range) => ({
      items: toPlatforms(await this.sessions.run(tx, wholeApp(app), range)),
    }));
  }

  byUtmSource(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByUtmSource> {
    return this.report(app, query, async (tx, range) => {
      const sessions = await this.sessions.run(tx, wholeApp(app), range);
      return { items: toSources(sessions, await this.sources.run(tx, app, range)) };
    });
  }

  transitionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionSummary> {
    return this.report(app, query, async (tx, range) =>
      toTransitions(await this.transitions.run(tx, app, range)),
    );
  }

  transitionTrend(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionTrend> {
    return this.report(app, query, async (tx, range) => {
      const { byDate } = await this.transitions.run(tx, app, range);
      return { daily: range.days.map((date) => ({ date, count: byDate.get(date) ?? 0 })) };
    });
  }

  dashboard(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDashboard> {
    return this.report(app, query, async (tx, range, shown) => {
      const figures = await this.figures(tx, app, range);
      const [sessions] = figures;
      return {
        summary: { ...toTotals(...figures), ...shown },
        daily: toDays(range, ...figures),
        byPlatform: toPlatforms(sessions),
        byUtmSource: toSources(sessions, await this.sources.run(tx, app, range)),
        transitions: toTransitions(await this.transitions.run(tx, app, range)),
        topEvents: await this.events.top(tx, app, range),
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

  /** The figures of `read`, and the range that they cover. */
  private async report<Figures>(
    app: AppCaller,
    query: SessionStatisticsRequest,
    read: (tx: Tx, range: DayRange, shown: Shown) => Promise<Figures>,
  ): Promise<Figures & Shown> {
    const { timeZone, timeZoneChangedAt } = app.organization;
    const { range, meta } = statisticsRange(app, query, this.clock.date(), {
      timeZone,
      kept: 'eventRetentionDays',
    });
    const { startDate, endDate } = range;
    const zone = { timeZone, timeZoneChangedAt: toDateTime(timeZoneChangedAt) };
    const shown = { startDate, endDate, ...zone, meta };
    const figures = await this.database.report(app.organizationId, (tx) => read(tx, range, shown));
    return { ...figures, ...shown };
  }
}
