import { Injectable } from '@nestjs/common';
import { QUARTER_MINUTES } from '../funnel';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

const QUARTER_MS = QUARTER_MINUTES * 60_000;

interface Moment {
  organizationId: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Days in the current time zones of organizations; days begin on a quarter of an hour in every zone. */
@Injectable()
export class LocalDays {
  constructor(private readonly database: Database) {}

  /** The day of one moment, `YYYY-MM-DD`; null if there is no such organization. */
  async of(tx: Tx, moment: Moment): Promise<string | null> {
    return (await this.load(tx, [moment]))(moment);
  }

  /** The days of many moments, looked up once for each organization and quarter of an hour. */
  async load(tx: Tx, moments: readonly Moment[]): Promise<(moment: Moment) => string | null> {
    const quarters = new Map(moments.map((moment) => [keyOf(moment), moment]));
    const distinct = [...quarters.values()];
    const rows = await tx.hot<{ day: string | null }>(DAYS, [
      intArray(distinct.map(({ organizationId }) => organizationId)),
      intArray(distinct.map(({ at }) => at)),
    ]);
    const days = new Map(distinct.map((moment, i) => [keyOf(moment), rows[i]?.day ?? null]));
    return (moment) => days.get(keyOf(moment)) ?? null;
  }
}

function keyOf({ organizationId, at }: Moment): string {
  return `${organizationId}/${Math.floor(at / QUARTER_MS)}`;
}

const DAYS = {
  name: 'sessions.days',
  text: `
    SELECT local_day(organization_id, to_timestamp(at / 1000.0)) AS day
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS t (organization_id, at, n)
     ORDER BY n`,
};
