import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { DAY_MS, firstOfMonth } from '../../../common/time/months';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { Database } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import { eachApart } from '../../../infrastructure/schedule/each-apart';
import type { EnrichedClick } from '../counting/enriched-click';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { boundedValues, type DayRollup, hourOfWeek, isHour, valuesOfDays } from './dimensions';

/** Compaction takes this lock exclusively, transactions with late clicks take it shared. */
const LOCK = ADVISORY_LOCK.clickMonths;
/** Months with fewer values in their days are not compacted, because that would not speed up reads. */
const MIN_VALUES = 200;

/** Organizations share the locks of `click_sums`, whose number is limited. */
export const SUM_SHARDS = 64;

interface DueMonth {
  trackedLinkId: number;
  trackedLinkKind: number;
  month: string;
}

/**
 * Compacts the days of finished months into one row each, so that statistics of a year read eleven rows and the days at
 * both ends. An existing row is always exact: a late click deletes it, and the next run rebuilds it from the days.
 */
@Injectable()
export class ClickMonths {
  private readonly logger = new Logger(ClickMonths.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Deletes the months of late clicks, in the transaction that counts the clicks. */
  async invalidate(tx: Tx, rollups: readonly DayRollup[]): Promise<void> {
    const current = firstOfMonth(this.clock.now());
    const late = rollups.filter(({ day }) => day < current);
    if (late.length === 0) return;
    await tx.query(`SELECT pg_advisory_xact_lock_shared($1)`, [LOCK]);
    await tx.query(INVALIDATE, [
      intArray(late.map(({ trackedLinkId }) => trackedLinkId)),
      intArray(late.map(({ kind }) => TRACKED_LINK_KIND[kind])),
      late.map(({ day }) => day),
    ]);
  }

  /**
   * Deletes the organizations' sums of the days and months of these clicks, in the transaction that counts them. A day
   * is claimed under the same lock before it is summed, so a click is either in its sums or deletes them
   * (docs/adr/0045-sums-are-derived-from-clicks.md).
   */
  async invalidateSums(tx: Tx, clicks: readonly EnrichedClick[]): Promise<void> {
    const days = new Map<number, Set<string>>();
    for (const { click, visit } of clicks) {
      const ofOrganization = days.get(click.organizationId);
      if (ofOrganization) ofOrganization.add(visit.day);
      else days.set(click.organizationId, new Set([visit.day]));
    }
    const shards = new Set([...days.keys()].map((organizationId) => organizationId % SUM_SHARDS));
    // In order, to avoid deadlocks.
    await tx.query(`SELECT pg_advisory_xact_lock_shared($1, shard) FROM unnest($2::int[]) AS shard`, [
      ADVISORY_LOCK.clickSums,
      intArray([...shards].sort((a, b) => a - b)),
    ]);
    const pairs = [...days].flatMap(([organizationId, each]) =>
      [...each].map((day) => [organizationId, day] as const),
    );
    await tx.query(DELETE_SUMS, [intArray(pairs.map(([id]) => id)), pairs.map(([, day]) => day)]);
  }

  /**
   * Compacts due months. A month is finished a day after its end, which tolerates clock skew.
   * @param retentionDays longest retention of any organization
   */
  async compact(retentionDays: number): Promise<void> {
    const now = this.clock.now();
    const unfinished = firstOfMonth(now - DAY_MS);
    const oldest = firstOfMonth(now - retentionDays * DAY_MS);
    const months = await this.database.read<{ month: string }>(UNLISTED, [oldest, unfinished]);
    for (const { month } of months) await this.list(month);
    const due = await this.database.read<DueMonth>(DUE, [unfinished]);
    await eachApart(due, (each) => this.build(each), {
      logger: this.logger,
      what: 'Compaction of a month',
    });
  }

  /** Lists the links and campaigns whose days of a month are worth compacting. */
  private async list(month: string): Promise<void> {
    await this.database.write(async (tx) => {
      await tx.slow(LIST, [month, MIN_VALUES]);
      await tx.query(
        `INSERT INTO click_months_built (month, built_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [month, this.clock.date()],
      );
    });
  }

  private async build({ trackedLinkId, trackedLinkKind, month }: DueMonth): Promise<void> {
    const key = [trackedLinkId, trackedLinkKind, month];
    await this.database.write(async (tx) => {
      await tx.slow(`SELECT pg_advisory_xact_lock($1)`, [LOCK]);
      await tx.slow(BUILD, [...key, MIN_VALUES]);
      await tx.query(
        `DELETE FROM click_months_due WHERE target_id = $1 AND target_kind = $2 AND month = $3`,
        key,
      );
    });
  }
}

/** SQL expression for the first day of a day's month. */
export const monthOfDay = (day: string) => `date_trunc('month', ${day}::timestamp)::date`;

// Sorted by key to avoid deadlocks.
const INVALIDATE = `
  WITH late AS (
    SELECT DISTINCT target_id, target_kind, ${monthOfDay('day')} AS month
      FROM unnest($1::bigint[], $2::smallint[], $3::date[]) AS t (target_id, target_kind, day)
  ), locked AS (
    SELECT m.target_id, m.target_kind, m.month
      FROM click_months m JOIN late USING (target_id, target_kind, month)
     ORDER BY m.target_id, m.target_kind, m.month
       FOR UPDATE OF m
  ), deleted AS (
    DELETE FROM click_months m USING locked l
     WHERE m.target_id = l.target_id AND m.target_kind = l.target_kind AND m.month = l.month
  )
  INSERT INTO click_months_due (target_id, target_kind, month)
  SELECT target_id, target_kind, month FROM late ORDER BY target_id, target_kind, month
  ON CONFLICT DO NOTHING`;

const DELETE_SUMS = `
  WITH locked AS (
    SELECT s.organization_id, s.unit, s.start
      FROM unnest($1::bigint[], $2::date[]) AS d (organization_id, day)
     CROSS JOIN LATERAL (VALUES (1::smallint, day), (2::smallint, ${monthOfDay('day')})) AS p (unit, start)
      JOIN click_sums s ON s.organization_id = d.organization_id AND s.unit = p.unit AND s.start = p.start
     ORDER BY s.organization_id, s.unit, s.start
       FOR UPDATE OF s
  )
  DELETE FROM click_sums s USING locked l
   WHERE s.organization_id = l.organization_id AND s.unit = l.unit AND s.start = l.start`;

const UNLISTED = `
  SELECT month::date AS month
    FROM generate_series($1::date::timestamp, $2::date - interval '1 month', interval '1 month') AS month
   WHERE NOT EXISTS (SELECT FROM click_months_built b WHERE b.month = month.month::date)
   ORDER BY month`;

const DAYS_OF_MONTH = (month: string) =>
  `d.day >= ${month}::date AND d.day < (${month}::date + interval '1 month')::date`;

const LIST = `
  INSERT INTO click_months_due (target_id, target_kind, month)
  SELECT target_id, target_kind, $1::date
    FROM click_rollups d
   WHERE ${DAYS_OF_MONTH('$1')}
   GROUP BY target_id, target_kind
  HAVING sum(cardinality(dimensions)) >= $2
  ON CONFLICT DO NOTHING`;

const DUE = `
  SELECT target_id AS "trackedLinkId", target_kind AS "trackedLinkKind", month
    FROM click_months_due WHERE month < $1
   ORDER BY target_id, target_kind, month`;

const BUILD = `
  WITH pairs AS (
    ${valuesOfDays(
      {
        from: 'click_rollups d',
        where: `d.target_id = $1 AND d.target_kind = $2 AND ${DAYS_OF_MONTH('$3')}`,
      },
      'd.day,',
    )}
  ), hours AS (
    SELECT ${hourOfWeek('day', 'value')} AS hour, sum(count)::bigint AS count FROM pairs WHERE ${isHour('value')} GROUP BY 1
  )
  INSERT INTO click_months (target_id, target_kind, month, dimensions, counts, hours_of_week)
  SELECT $1, $2, $3, dimensions, counts,
         ARRAY(SELECT coalesce(count, 0) FROM generate_series(0, 167) AS hour LEFT JOIN hours USING (hour) ORDER BY hour)
    FROM (${boundedValues('pairs')}) AS month
   WHERE (SELECT count(*) FROM pairs) >= $4
  ON CONFLICT (target_id, target_kind, month) DO UPDATE
     SET dimensions = excluded.dimensions, counts = excluded.counts, hours_of_week = excluded.hours_of_week`;
