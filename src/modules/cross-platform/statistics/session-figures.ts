import type { DayRange } from '../../../common/date-range';
import { average, percent } from '../../click-statistics/percentages';
import type { SessionEvents } from '../../sessions/statistics/session-events.query';
import type { SourceSessions as SourceSums } from '../../sessions/statistics/session-sources.query';
import type { SessionUsers } from '../../sessions/statistics/session-users.query';
import { NO_SESSIONS, type SessionFigures } from '../../sessions/statistics/sessions.query';
import type { Transitions } from '../../sessions/statistics/transitions.query';
import type {
  JourneyDay,
  SessionStatisticsRange,
  JourneySummary,
  PlatformSessions,
  SessionSummary,
  SourceSessions,
  TransitionTotals,
} from './session-statistics.dto';

type Figures<Response extends SessionStatisticsRange> = Omit<Response, keyof SessionStatisticsRange>;

export function toTotals(
  { total }: SessionFigures,
  users: SessionUsers,
  events: SessionEvents,
): Figures<JourneySummary> {
  return {
    totalSessions: total.sessions,
    uniqueUsers: users.unique,
    totalEvents: events.total,
    conversions: total.converted,
    conversionRate: percent(total.converted, total.sessions),
    avgSessionDurationSeconds: average(total.durationSeconds, total.sessions),
  };
}

export function toDays(
  range: DayRange,
  { byDate }: SessionFigures,
  users: SessionUsers,
  events: SessionEvents,
): JourneyDay[] {
  return range.days.map((date) => {
    const { sessions, converted } = byDate.get(date) ?? NO_SESSIONS;
    return {
      date,
      sessions,
      uniqueUsers: users.byDate.get(date) ?? 0,
      events: events.byDate.get(date) ?? 0,
      conversions: converted,
    };
  });
}

export function toSessions({ total }: SessionFigures, users: SessionUsers): Figures<SessionSummary> {
  return {
    totalSessions: total.sessions,
    newUsers: users.fresh,
    returningUsers: users.unique - users.fresh,
    avgEventsPerSession: average(total.events, total.sessions),
  };
}

export function toPlatforms({ total, byPlatform }: SessionFigures): PlatformSessions[] {
  return byPlatform.map(({ platform, sessions, converted }) => ({
    platform,
    ...toGroup(sessions, converted, total.sessions),
  }));
}

export function toSources({ total }: SessionFigures, sources: readonly SourceSums[]): SourceSessions[] {
  return sources.map(({ utmSource, sessions, converted }) => ({
    utmSource,
    ...toGroup(sessions, converted, total.sessions),
  }));
}

export function toTransitions({ total, paths }: Transitions): Pick<TransitionTotals, keyof TransitionTotals> {
  return {
    totalTransitions: total,
    paths: paths.map((path) => ({ ...path, percentage: percent(path.count, total) })),
  };
}

function toGroup(sessions: number, conversions: number, ofAll: number) {
  const conversionRate = percent(conversions, sessions);
  return { sessions, conversions, conversionRate, percentage: percent(sessions, ofAll) };
}
