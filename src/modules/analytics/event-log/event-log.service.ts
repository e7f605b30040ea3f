import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { Caller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import type { DayRange } from '../../../common/date-range';
import { average } from '../../click-statistics/percentages';
import { analyticsRange } from '../analytics-range';
import { type EventLog, EventLogQuery } from './event-log.query';
import type { EventLogRequest, EventLogResponse, EventTrendItem } from './event-log.dto';
import { OwnedApps } from '../owned-apps';

/** Longest range with daily granularity (docs/concepts/statistics.md#event-log). */
const MOST_DAYS = 90;
/** Limits the list, because clients can send arbitrary types. */
const MOST_TYPES = 100;
const NO_EVENTS = { events: 0, sessions: 0 };

/** Sums of session events up to yesterday. */
@Injectable()
export class EventLogService {
  constructor(
    private readonly apps: OwnedApps,
    private readonly events: EventLogQuery,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidDateRange, APP_NOT_OWNED */
  async of(caller: Caller, query: EventLogRequest): Promise<EventLogResponse> {
    const { organizationId } = caller;
    const appId = query.appId ?? null;
    const { range, shown } = analyticsRange(caller, query, this.clock.date(), 'eventRetentionDays');
    if (appId !== null) await this.apps.get(organizationId, appId);
    const trendGranularity = range.days.length > MOST_DAYS ? 'week' : 'day';
    const log = await this.events.run({ organizationId, appId }, range, trendGranularity);
    return {
      appId,
      ...shown,
      summary: {
        totalEvents: log.total.events,
        uniqueSessions: log.total.sessions,
        uniqueEventNames: log.types.length,
        avgEventsPerSession: average(log.total.events, log.total.sessions),
      },
      trendGranularity,
      trend: trendGranularity === 'day' ? byDay(range, log) : byWeek(range, log),
      topEvents: log.types.slice(0, query.topLimit).map(({ type, events, sessions }) => ({
        eventName: type,
        count: events,
        uniqueSessions: sessions,
      })),
      typeDistribution: log.types
        .slice(0, MOST_TYPES)
        .map(({ type, events }) => ({ eventType: type, count: events })),
    };
  }
}

function byDay({ days }: DayRange, { periods }: EventLog): EventTrendItem[] {
  return days.map((date) => {
    const { events, sessions } = periods.get(date) ?? NO_EVENTS;
    return { date, totalCount: events, uniqueSessions: sessions };
  });
}

function byWeek({ days }: DayRange, { periods }: EventLog): EventTrendItem[] {
  const mondays = new Set(days.map((day) => isoDay(day).startOf('week').toISODate() ?? ''));
  return [...mondays].map((weekStartDate) => {
    const { events, sessions } = periods.get(weekStartDate) ?? NO_EVENTS;
    const weekEndDate = isoDay(weekStartDate).plus({ days: 6 }).toISODate() ?? '';
    return { weekStartDate, weekEndDate, totalCount: events, uniqueSessions: sessions };
  });
}

function isoDay(text: string): DateTime {
  return DateTime.fromISO(text, { zone: 'utc' });
}
