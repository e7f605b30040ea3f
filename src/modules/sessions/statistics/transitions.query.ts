import { Injectable } from '@nestjs/common';
import type { SessionPlatform } from '../funnel';
import type { DayRange } from '../../../common/date-range';
import { type AppKey, platformOf } from './session-subject';
import type { Tx } from '../../../infrastructure/database/database';

export interface Transitions {
  total: number;
  byDate: ReadonlyMap<string, number>;
  /** In descending order. */
  paths: readonly { fromPlatform: SessionPlatform; toPlatform: SessionPlatform; count: number }[];
}

interface Row {
  date: string | null;
  from: number;
  to: number;
  count: number;
}

/** Transitions of an app's sessions between platforms, in a range of the organization's days. */
@Injectable()
export class TransitionsQuery {
  async run(
    tx: Tx,
    { organizationId, appId }: AppKey,
    { startDate, endDate }: DayRange,
  ): Promise<Transitions> {
    const rows = await tx.query<Row>(SQL, [organizationId, appId, startDate, endDate]);
    const days = rows.flatMap(({ date, count }) => (date === null ? [] : [{ date, count }]));
    return {
      total: days.reduce((sum, { count }) => sum + count, 0),
      byDate: new Map(days.map(({ date, count }) => [date, count])),
      paths: rows
        .filter(({ date }) => date === null)
        .map(({ from, to, count }) => ({
          fromPlatform: platformOf(from),
          toPlatform: platformOf(to),
          count,
        })),
    };
  }
}

const SQL = `
  SELECT day AS date, from_platform AS from, to_platform AS to, sum(transitions)::bigint AS count
    FROM transition_rollups
   WHERE organization_id = $1 AND app_id = $2 AND day BETWEEN $3 AND $4
   GROUP BY GROUPING SETS ((day), (from_platform, to_platform))
   ORDER BY count DESC, from_platform, to_platform`;
