import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import { Database } from '../../../infrastructure/database/database';

export interface EventSums {
  events: number;
  sessions: number;
}

export interface EventLog {
  total: EventSums;
  /** In descending order of events. */
  types: readonly (EventSums & { type: string })[];
  /** By first day of the period; periods without events are omitted. */
  periods: ReadonlyMap<string, EventSums>;
}

@Injectable()
export class EventLogQuery {
  constructor(private readonly database: Database) {}

  /** @param period granularity; weeks start on Monday, and only include days in the range */
  async run(
    { organizationId, appId }: { organizationId: number; appId: number | null },
    { startDate, endDate }: DayRange,
    period: 'day' | 'week',
  ): Promise<EventLog> {
    const parameters = [organizationId, appId, startDate, endDate];
    const { all, periods } = await this.database.report(organizationId, async (tx) => ({
      all: await tx.query<EventSums & { type: string }>(TYPES, parameters),
      periods: await tx.query<EventSums & { start: string }>(PERIODS[period], parameters),
    }));
    const { events = 0, sessions = 0 } = all.find(({ type }) => type === '') ?? {};
    return {
      total: { events, sessions },
      types: all.filter(({ type }) => type !== ''),
      periods: new Map(periods.map(({ start, ...sums }) => [start, sums])),
    };
  }
}

const IN_RANGE = `
  organization_id = $1 AND ($2::bigint IS NULL OR app_id = $2) AND day BETWEEN $3::date AND $4::date`;

/**
 * SQL condition that is true on a session's first day since `start`, on which the session is counted: its previous day
 * is before `start`.
 */
const firstSince = (start: string) =>
  `coalesce(sum(sessions) FILTER (WHERE gap = -1 OR day - gap < ${start}), 0)::bigint AS sessions`;

const TYPES = `
  SELECT event_type AS type, sum(events)::bigint AS events, ${firstSince('$3::date')}
    FROM event_day_rollups
   WHERE ${IN_RANGE}
   GROUP BY event_type
   ORDER BY events DESC, type`;

const periods = (start: string) => `
  SELECT start, sum(events)::bigint AS events, ${firstSince('greatest(start, $3::date)')}
    FROM (SELECT ${start} AS start, day, gap, events, sessions
            FROM event_day_rollups
           WHERE ${IN_RANGE} AND event_type = '') AS days
   GROUP BY start`;
const PERIODS = { day: periods('day'), week: periods(`date_trunc('week', day::timestamp)::date`) };
