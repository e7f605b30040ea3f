import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../common/click-target';
import { Clock } from '../../common/time/clock';
import { ADVISORY_LOCK } from '../../infrastructure/database/advisory-locks';
import { longQuery } from '../../infrastructure/database/time-limit';
import type { DayRollup } from './click-rollup';
import { intArray, MERGED_TERMS } from './sql-arrays';

/** Held by whoever builds a month, shared by whoever adds a late click to one. */
const LOCK = ADVISORY_LOCK.clickMonths;
const DAY_MS = 86_400_000;
/** A month with fewer days of clicks is read as fast from its days, and takes no second row. */
const WORTH_DAYS = 8;

/** Sums of months that are over, so that a year's statistics read some forty rows, however busy its days were. */
@Injectable()
export class ClickMonths {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Adds clicks that came after their month had ended to its sums, where those have been built. */
  async addLate(manager: EntityManager, rollups: readonly DayRollup[]): Promise<void> {
    const current = monthOf(this.clock.date());
    const late = rollups.filter((rollup) => rollup.day.slice(0, 7) !== current);
    if (late.length === 0) return;
    await manager.query(`SELECT pg_advisory_xact_lock_shared($1)`, [LOCK]);
    // One statement can't change a row twice: each month of a target gets all of its days at once.
    const months = new Map<string, DayRollup>();
    for (const rollup of late) {
      const key = `${rollup.kind}/${rollup.targetId}/${rollup.day.slice(0, 7)}`;
      const sum = months.get(key);
      if (!sum) months.set(key, { ...rollup, terms: new Map(rollup.terms) });
      else for (const [term, count] of rollup.terms) sum.terms.set(term, (sum.terms.get(term) ?? 0) + count);
    }
    const rows = [...months.values()];
    await manager.query(ADD, [
      intArray(rows.map((row) => row.targetId)),
      intArray(rows.map((row) => TARGET_KIND[row.kind])),
      rows.map((row) => `${row.day.slice(0, 7)}-01`),
      rows.map((row) => intArray([...row.terms.keys()])),
      rows.map((row) => intArray([...row.terms.values()])),
    ]);
  }

  /** Builds every month that is over and has not been built; a day late, so that clocks need not agree. */
  async build(): Promise<void> {
    const current = monthOf(new Date(this.clock.now() - DAY_MS));
    const months = await this.dataSource.query<{ month: string }[]>(UNBUILT, [`${current}-01`]);
    for (const { month } of months) {
      await this.dataSource.transaction(async (manager) => {
        await longQuery(manager, `SELECT pg_advisory_xact_lock($1)`, [LOCK]);
        await longQuery(manager, BUILD, [month, WORTH_DAYS]);
        await manager.query(
          `INSERT INTO click_months_built (month, built_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
          [month, this.clock.date()],
        );
      });
    }
  }
}

/** `YYYY-MM` */
function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

const ADD = `
  UPDATE click_month_rollups AS stored
     SET (terms, counts) = (${MERGED_TERMS})
    FROM (SELECT target_id, target_kind, month, terms::int[], counts::int[]
            FROM unnest($1::bigint[], $2::smallint[], $3::date[], $4::text[], $5::text[])
              AS t (target_id, target_kind, month, terms, counts)) AS excluded
   WHERE stored.target_id = excluded.target_id AND stored.target_kind = excluded.target_kind
     AND stored.month = excluded.month`;

const UNBUILT = `
  SELECT DISTINCT date_trunc('month', day::timestamp)::date AS month
    FROM click_rollups
   WHERE day < $1 AND date_trunc('month', day::timestamp)::date NOT IN (SELECT month FROM click_months_built)
   ORDER BY month`;

const BUILD = `
  INSERT INTO click_month_rollups (target_id, target_kind, month, terms, counts)
  SELECT target_id, target_kind, $1::date, array_agg(term), array_agg(seen)
    FROM (SELECT target_id, target_kind, term, sum(count)::int AS seen
            FROM (SELECT r.target_id, r.target_kind, unnest(r.terms) AS term, unnest(r.counts) AS count
                    FROM click_rollups r
                    JOIN (SELECT target_id, target_kind
                            FROM click_rollups
                           WHERE day >= $1::date AND day < $1::date + interval '1 month'
                           GROUP BY target_id, target_kind
                          HAVING count(DISTINCT day) >= $2) AS busy USING (target_id, target_kind)
                   WHERE r.day >= $1::date AND r.day < $1::date + interval '1 month') AS pairs
           GROUP BY target_id, target_kind, term) AS summed
   GROUP BY target_id, target_kind
  ON CONFLICT DO NOTHING`;
