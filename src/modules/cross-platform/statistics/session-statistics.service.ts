import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/time/date-range';
import { toDateTime } from '../../../common/time/format';
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
    private readonly clock: Clock,
  ) {}

  async summary(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneySummary> {
    const { range, shown } = this.rangeOf(app, query);
    return { ...toTotals(...(await this.figures(app, range))), ...shown };
  }

  async daily(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDaily> {
    const { range, shown } = this.rangeOf(app, query);
    return { ...shown, daily: toDays(range, ...(await this.figures(app, range))) };
  }

  async sessionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionSummary> {
    const { range, shown } = this.rangeOf(app, query);
    const [sessions, users] = await this.figures(app, range);
    return { ...toSessions(sessions, users), ...shown };
  }

  async byPlatform(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByPlatform> {
    const { range, shown } = this.rangeOf(app, query);
    return { ...shown, items: toPlatforms(await this.sessions.run(wholeApp(app), range)) };
  }

  async byUtmSource(app: AppCaller, query: SessionStatisticsRequest): Promise<SessionsByUtmSource> {
    const { range, shown } = this.rangeOf(app, query);
    const [sessions, sources] = await Promise.all([
      this.sessions.run(wholeApp(app), range),
      this.sources.run(app, range),
    ]);
    return { ...shown, items: toSources(sessions, sources) };
  }

  async transitionSummary(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionSummary> {
    const { range, shown } = this.rangeOf(app, query);
    return { ...shown, ...toTransitions(await this.transitions.run(app, range)) };
  }

  async transitionTrend(app: AppCaller, query: SessionStatisticsRequest): Promise<TransitionTrend> {
    const { range, shown } = this.rangeOf(app, query);
    const { byDate } = await this.transitions.run(app, range);
    return { ...shown, daily: range.days.map((date) => ({ date, count: byDate.get(date) ?? 0 })) };
  }

  async dashboard(app: AppCaller, query: SessionStatisticsRequest): Promise<JourneyDashboard> {
    const { range, shown } = this.rangeOf(app, query);
    const [figures, sources, transitions, topEvents] = await Promise.all([
      this.figures(app, range),
      this.sources.run(app, range),
      this.transitions.run(app, range),
      this.events.top(app, range),
    ]);
    const [sessions] = figures;
    return {
      summary: { ...toTotals(...figures), ...shown },
      daily: toDays(range, ...figures),
      byPlatform: toPlatforms(sessions),
      byUtmSource: toSources(sessions, sources),
      transitions: toTransitions(transitions),
      topEvents,
      ...shown,
    };
  }

  private figures(app: AppCaller, range: DayRange) {
    return Promise.all([
      this.sessions.run(wholeApp(app), range),
      this.users.run(app, range),
      this.events.run(app, range),
    ]);
  }

  private rangeOf(app: AppCaller, query: SessionStatisticsRequest) {
    const { timeZone, timeZoneChangedAt } = app.organization;
    const { range, meta } = statisticsRange(app, query, this.clock.date(), timeZone);
    const { startDate, endDate } = range;
    const zone = { timeZone, timeZoneChangedAt: toDateTime(timeZoneChangedAt) };
    return { range, shown: { startDate, endDate, ...zone, meta } };
  }
}
