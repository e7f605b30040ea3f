import { Injectable } from '@nestjs/common';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { Clock } from '../../../common/time/clock';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import type { DayRollup } from './click-rollup';
import { intArray, mergedTerms } from '../../../infrastructure/database/sql-arrays';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** Held by whoever makes a total, shared by whoever adds a late click to those there are. */
const LOCK = ADVISORY_LOCK.clickRunningTotals;
const DAY_MS = 86_400_000;
/** Fewer pairs of term and count are read as fast from their days. */
const WORTH_PAIRS = 500;

interface TrackedLink {
  trackedLinkId: number;
  trackedLinkKind: number;
}

/** Late clicks of a tracked link, added up for the totals from a day on until the next late day. */
interface LateSum extends TrackedLink {
  from: string;
  before: string;
  terms: Map<number, number>;
}

/**
 * Sums of all that a tracked link's days held until a day, so that statistics of a range are the difference of two and a few
 * days at its ends. A total is worth it when the days since the last one hold as much as that does: so all of them
 * together stay in proportion to the days, and what a range reads of days to what it reads of totals.
 */
@Injectable()
export class ClickRunningTotals {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds clicks of days that may be in totals to those.
   * @param rollups in the order of `rollUp`
   */
  async addLate(tx: Tx, rollups: readonly DayRollup[]): Promise<void> {
    const today = dayOf(this.clock.now());
    const late = rollups.filter((rollup) => rollup.day !== today);
    if (late.length === 0) return;
    await tx.query(`SELECT pg_advisory_xact_lock_shared($1)`, [LOCK]);
    const sums = lateSums(late);
    await tx.query(ADD, [
      intArray(sums.map((sum) => sum.trackedLinkId)),
      intArray(sums.map((sum) => sum.trackedLinkKind)),
      sums.map((sum) => sum.from),
      sums.map((sum) => sum.before),
      sums.map((sum) => intArray([...sum.terms.keys()])),
      sums.map((sum) => intArray([...sum.terms.values()])),
    ]);
  }

  /** Makes the totals that are worth it, of days that are over; a day late, so that clocks need not agree. */
  async build(): Promise<void> {
    const before = dayOf(this.clock.now() - DAY_MS);
    const trackedLinks = await this.database.slow<TrackedLink>(GROWN, [before, WORTH_PAIRS]);
    for (const trackedLink of trackedLinks) await this.buildOf(trackedLink, before);
  }

  private async buildOf({ trackedLinkId, trackedLinkKind }: TrackedLink, before: string): Promise<void> {
    const days = await this.database.read<{ day: string; pairs: number; size: number | null }>(DAYS_SINCE, [
      trackedLinkId,
      trackedLinkKind,
      before,
    ]);
    let size = days[0]?.size ?? 0;
    let pairs = 0;
    for (const each of days) {
      pairs += each.pairs;
      if (pairs < Math.max(WORTH_PAIRS, size)) continue;
      const total = await this.totalUntil(trackedLinkId, trackedLinkKind, each.day);
      // Another process is at it.
      if (!total) return;
      size = total.size;
      pairs = 0;
    }
  }

  /** @returns how many terms there are in it; nothing when there is one already */
  private totalUntil(
    trackedLinkId: number,
    trackedLinkKind: number,
    day: string,
  ): Promise<{ size: number } | undefined> {
    return this.database.write(async (tx) => {
      await tx.slow(`SELECT pg_advisory_xact_lock($1)`, [LOCK]);
      const [total] = await tx.query<{ size: number }>(TOTAL, [trackedLinkId, trackedLinkKind, day]);
      return total;
    });
  }
}

/** `YYYY-MM-DD`, in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A total holds every late day up to its own: each tracked link's sums grow from one late day to the next. */
function lateSums(late: readonly DayRollup[]): LateSum[] {
  const sums: LateSum[] = [];
  for (const { trackedLinkId, kind, day, terms } of late) {
    const trackedLinkKind = TRACKED_LINK_KIND[kind];
    const last = sums.at(-1);
    const sum = { trackedLinkId, trackedLinkKind, from: day, before: 'infinity', terms };
    if (last?.trackedLinkId === trackedLinkId && last.trackedLinkKind === trackedLinkKind) {
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
  SELECT target_id AS "trackedLinkId", target_kind AS "trackedLinkKind"
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
