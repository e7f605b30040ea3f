import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { TARGET_KIND } from '../../clicks/tracked-link-kind';
import { Clock } from '../../../common/time/clock';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { longQuery } from '../../../infrastructure/database/time-limit';
import type { DayRollup } from './click-rollup';
import { intArray, mergedTerms } from '../../../infrastructure/database/sql-arrays';

/** Held by whoever makes a total, shared by whoever adds a late click to those there are. */
const LOCK = ADVISORY_LOCK.clickRunningTotals;
const DAY_MS = 86_400_000;
/** Fewer pairs of term and count are read as fast from their days. */
const WORTH_PAIRS = 500;

interface Target {
  targetId: number;
  targetKind: number;
}

/** Late clicks of a target, added up for the totals from a day on until the next late day. */
interface LateSum extends Target {
  from: string;
  before: string;
  terms: Map<number, number>;
}

/**
 * Sums of all that a target's days held until a day, so that statistics of a range are the difference of two and a few
 * days at its ends. A total is worth it when the days since the last one hold as much as that does: so all of them
 * together stay in proportion to the days, and what a range reads of days to what it reads of totals.
 */
@Injectable()
export class ClickRunningTotals {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds clicks of days that may be in totals to those.
   * @param rollups in the order of `rollUp`
   */
  async addLate(manager: EntityManager, rollups: readonly DayRollup[]): Promise<void> {
    const today = dayOf(this.clock.now());
    const late = rollups.filter((rollup) => rollup.day !== today);
    if (late.length === 0) return;
    await manager.query(`SELECT pg_advisory_xact_lock_shared($1)`, [LOCK]);
    const sums = lateSums(late);
    await manager.query(ADD, [
      intArray(sums.map((sum) => sum.targetId)),
      intArray(sums.map((sum) => sum.targetKind)),
      sums.map((sum) => sum.from),
      sums.map((sum) => sum.before),
      sums.map((sum) => intArray([...sum.terms.keys()])),
      sums.map((sum) => intArray([...sum.terms.values()])),
    ]);
  }

  /** Makes the totals that are worth it, of days that are over; a day late, so that clocks need not agree. */
  async build(): Promise<void> {
    const before = dayOf(this.clock.now() - DAY_MS);
    const targets = await this.dataSource.transaction((manager) =>
      longQuery<Target>(manager, GROWN, [before, WORTH_PAIRS]),
    );
    for (const target of targets) await this.buildOf(target, before);
  }

  private async buildOf({ targetId, targetKind }: Target, before: string): Promise<void> {
    const days = await this.dataSource.query<{ day: string; pairs: number; size: number | null }[]>(
      DAYS_SINCE,
      [targetId, targetKind, before],
    );
    let size = days[0]?.size ?? 0;
    let pairs = 0;
    for (const each of days) {
      pairs += each.pairs;
      if (pairs < Math.max(WORTH_PAIRS, size)) continue;
      const total = await this.totalUntil(targetId, targetKind, each.day);
      // Another process is at it.
      if (!total) return;
      size = total.size;
      pairs = 0;
    }
  }

  /** @returns how many terms there are in it; nothing when there is one already */
  private totalUntil(
    targetId: number,
    targetKind: number,
    day: string,
  ): Promise<{ size: number } | undefined> {
    return this.dataSource.transaction(async (manager) => {
      await longQuery(manager, `SELECT pg_advisory_xact_lock($1)`, [LOCK]);
      const [total] = await manager.query<{ size: number }[]>(TOTAL, [targetId, targetKind, day]);
      return total;
    });
  }
}

/** `YYYY-MM-DD`, in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A total holds every late day up to its own: each target's sums grow from one late day to the next. */
function lateSums(late: readonly DayRollup[]): LateSum[] {
  const sums: LateSum[] = [];
  for (const { targetId, kind, day, terms } of late) {
    const targetKind = TARGET_KIND[kind];
    const last = sums.at(-1);
    const sum = { targetId, targetKind, from: day, before: 'infinity', terms };
    if (last?.targetId === targetId && last.targetKind === targetKind) {
      last.before = day;
      sum.terms = new Map(last.terms);
      for (const [term, count] of terms) sum.terms.set(term, (sum.terms.get(term) ?? 0) + count);
    }
    sums.push(sum);
  }
  return sums;
}

const ADD = `
  UPDATE click_running_totals AS stored
     SET (terms, counts) = (${mergedTerms('bigint')})
    FROM (SELECT target_id, target_kind, since, before, terms::int[], counts::bigint[]
            FROM unnest($1::bigint[], $2::smallint[], $3::date[], $4::date[], $5::text[], $6::text[])
              AS t (target_id, target_kind, since, before, terms, counts)) AS excluded
   WHERE stored.target_id = excluded.target_id AND stored.target_kind = excluded.target_kind
     AND stored.day >= excluded.since AND stored.day < excluded.before`;

const GROWN = `
  SELECT target_id AS "targetId", target_kind AS "targetKind"
    FROM click_rollups r
    LEFT JOIN (SELECT target_id, target_kind, max(day) AS day
                 FROM click_running_totals GROUP BY target_id, target_kind) AS last USING (target_id, target_kind)
   WHERE r.day < $1 AND r.day > coalesce(last.day, '-infinity')
   GROUP BY target_id, target_kind
  HAVING sum(cardinality(r.terms)) >= $2
   ORDER BY target_id, target_kind`;

const LAST = `
  last AS (
    SELECT day, pairs, terms, counts FROM click_running_totals
     WHERE target_id = $1 AND target_kind = $2 ORDER BY day DESC LIMIT 1
  )`;

const DAYS_SINCE = `
  WITH ${LAST}
  SELECT day, sum(cardinality(terms))::int AS pairs, (SELECT cardinality(terms) FROM last) AS size
    FROM click_rollups
   WHERE target_id = $1 AND target_kind = $2 AND day < $3 AND day > coalesce((SELECT day FROM last), '-infinity')
   GROUP BY day
   ORDER BY day`;

const TOTAL = `
  WITH ${LAST}, days AS (
    SELECT terms, counts FROM click_rollups
     WHERE target_id = $1 AND target_kind = $2 AND day <= $3 AND day > coalesce((SELECT day FROM last), '-infinity')
  ), added AS (
    SELECT term, sum(count)::bigint AS seen
      FROM (SELECT unnest(terms) AS term, unnest(counts) AS count FROM last
            UNION ALL
            SELECT unnest(terms), unnest(counts) FROM days) AS pairs
     GROUP BY term
  )
  INSERT INTO click_running_totals (target_id, target_kind, day, pairs, terms, counts)
  SELECT $1, $2, $3,
         coalesce((SELECT pairs FROM last), 0) + (SELECT sum(cardinality(terms)) FROM days),
         array_agg(term), array_agg(seen)
    FROM added
  HAVING EXISTS (SELECT FROM days)
  RETURNING cardinality(terms) AS size`;
