import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { QUARTER_MINUTES } from '../funnel';
import { PreparedStatements } from '../../../infrastructure/database/prepared-statements';
import { intArray } from '../../../infrastructure/database/sql-arrays';

const QUARTER_MS = QUARTER_MINUTES * 60_000;

interface Moment {
  organizationId: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Days as organizations' time zones have them now; a day begins with a quarter of an hour in every zone. */
@Injectable()
export class LocalDays {
  constructor(private readonly statements: PreparedStatements) {}

  /** The day of one moment, `YYYY-MM-DD`; null when there is no such organization. */
  async of(manager: EntityManager, moment: Moment): Promise<string | null> {
    return (await this.load(manager, [moment]))(moment);
  }

  /** The days of many moments, which are mostly of few organizations and quarters. */
  async load(manager: EntityManager, moments: readonly Moment[]): Promise<(moment: Moment) => string | null> {
    const quarters = new Map(moments.map((moment) => [keyOf(moment), moment]));
    const known = [...quarters.values()];
    const rows = await this.statements.runIn<{ day: string | null }>(manager, DAYS, [
      intArray(known.map(({ organizationId }) => organizationId)),
      intArray(known.map(({ at }) => at)),
    ]);
    const days = new Map(known.map((moment, i) => [keyOf(moment), rows[i]?.day ?? null]));
    return (moment) => days.get(keyOf(moment)) ?? null;
  }
}

function keyOf({ organizationId, at }: Moment): string {
  return `${organizationId}/${Math.floor(at / QUARTER_MS)}`;
}

const DAYS = {
  name: 'journeys.days',
  text: `
    SELECT local_day(organization_id, to_timestamp(at / 1000.0)) AS day
      FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS t (organization_id, at, n)
     ORDER BY n`,
};
