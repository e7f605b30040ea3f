import { Injectable } from '@nestjs/common';
import type { DayRange } from '../../../common/date-range';
import type { AppKey } from './session-subject';
import { percent } from '../../click-statistics/percentages';
import type { TopItem } from '../../click-statistics/statistics.dto';
import type { Tx } from '../../../infrastructure/database/database';

export interface SessionEvents {
  total: number;
  byDate: ReadonlyMap<string, number>;
}

/** Events of an app's sessions, in a range of the organization's days. */
@Injectable()
export class SessionEventsQuery {
  async run(
    tx: Tx,
    { organizationId, appId }: AppKey,
    { startDate, endDate }: DayRange,
  ): Promise<SessionEvents> {
    const parameters = [organizationId, appId, startDate, endDate];
    const rows = await tx.query<{ date: string; events: number }>(DAYS, parameters);
    return {
      total: rows.reduce((sum, { events }) => sum + events, 0),
      byDate: new Map(rows.map(({ date, events }) => [date, events])),
    };
  }

  /** The ten most frequent event types. */
  async top(tx: Tx, { organizationId, appId }: AppKey, { startDate, endDate }: DayRange): Promise<TopItem[]> {
    const parameters = [organizationId, appId, startDate, endDate];
    const rows = await tx.query<{ name: string; count: number; total: number }>(TOP, parameters);
    return rows.map(({ name, count, total }) => ({ name, count, percentage: percent(count, total) }));
  }
}

const IN_RANGE = `organization_id = $1 AND app_id = $2 AND day BETWEEN $3 AND $4`;

const DAYS = `
  SELECT day AS date, sum(events)::bigint AS events FROM event_rollups WHERE ${IN_RANGE} GROUP BY day`;

const TOP = `
  SELECT event_type AS name, sum(events)::bigint AS count, (sum(sum(events)) OVER ())::bigint AS total
    FROM event_rollups
   WHERE ${IN_RANGE}
   GROUP BY event_type
   ORDER BY count DESC, name
   LIMIT 10`;
