import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { DAY_MS, firstOfMonth } from '../../../common/time/months';
import { ADVISORY_LOCK } from '../../../infrastructure/database/advisory-locks';
import { Database } from '../../../infrastructure/database/database';
import { intArray } from '../../../infrastructure/database/sql-arrays';
import type { Tx } from '../../../infrastructure/database/tx';
import { forEachSettled } from '../../../infrastructure/schedule/for-each-settled';
import type { EnrichedClick } from '../enriched-click';
import { TRACKED_LINK_KIND } from '../../clicks/click';
import { boundedValues, type DayRollup, hourOfWeek, isHour, valuesOfDays } from '../dimensions';

/** Months with fewer values in their days are not compacted, because that would not speed up reads. */
const MIN_VALUES = 200;

/** Organizations share locks, because a batch may be of more organizations than Postgres has locks. */
const LOCKS = 64;

/** Second key of the locks of months and sums. */
export function lockOf(organizationId: number): number {
  return organizationId % LOCKS;
}

interface DueMonth {
  organizationId: number;
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
    // Compaction takes these locks exclusively.
    await share(tx, ADVISORY_LOCK.clickMonths, new Set(late.map(({ organizationId }) => organizationId)));
    const months = [
      intArray(late.map(({ organizationId }) => organizationId)),
      intArray(late.map(({ trackedLinkId }) => trackedLinkId)),
      intArray(late.map(({ kind }) => TRACKED_LINK_KIND[kind])),
      late.map(({ day }) => day),
    ];
    const compacted = await tx.query<{ id: number }>(COMPACTED, months);
    for (const { id } of compacted) await tx.query(DELETE_MONTHS, [...months, id]);
    await tx.query(ADD_DUE, months);
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
    await share(tx, ADVISORY_LOCK.clickSums, days.keys());
    const pairs = [...days].flatMap(([organizationId, each]) =>
      [...each].map((day) => [organizationId, day] as const),
    );
    const parameters = [intArray(pairs.map(([id]) => id)), pairs.map(([, day]) => day)];
    const summed = await tx.query<{ id: number }>(SUMMED, parameters);
    for (const { id } of summed) await tx.query(DELETE_SUMS, [id, [...(days.get(id) ?? [])]]);
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
    await forEachSettled(due, (each) => this.build(each), {
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

  private async build({ organizationId, trackedLinkId, trackedLinkKind, month }: DueMonth): Promise<void> {
    const key = [organizationId, trackedLinkId, trackedLinkKind, month];
    await this.database.write(async (tx) => {
      await tx.slow(`SELECT pg_advisory_xact_lock($1, $2)`, [
        ADVISORY_LOCK.clickMonths,
        lockOf(organizationId),
      ]);
      await tx.slow(BUILD, [...key, MIN_VALUES]);
      await tx.query(
        `DELETE FROM click_months_due
          WHERE organization_id = $1 AND tracked_link_id = $2 AND kind = $3 AND month = $4`,
        key,
      );
    });
  }
}

/** Takes locks in order, to avoid deadlocks. */
async function share(tx: Tx, lock: number, organizationIds: Iterable<number>): Promise<void> {
  const keys = new Set([...organizationIds].map(lockOf));
  await tx.query(`SELECT pg_advisory_xact_lock_shared($1, key) FROM unnest($2::int[]) AS key`, [
    lock,
    intArray([...keys].sort((a, b) => a - b)),
  ]);
}

/** SQL expression for the first day of a day's month. */
export const monthOfDay = (day: string) => `date_trunc('month', ${day}::timestamp)::date`;

const LATE = `
  SELECT DISTINCT organization_id, tracked_link_id, kind, ${monthOfDay('day')} AS month
    FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::date[])
      AS t (organization_id, tracked_link_id, kind, day)`;

const COMPACTED = `
  SELECT DISTINCT organization_id AS id
    FROM click_months m JOIN (${LATE}) AS late USING (organization_id, tracked_link_id, kind, month)
   ORDER BY id`;

// Rows are locked in order, and those of one organization after those of another, to avoid deadlocks.
const DELETE_MONTHS = `
  WITH locked AS MATERIALIZED (
    SELECT m.tracked_link_id, m.kind, m.month
      FROM click_months m JOIN (${LATE}) AS late USING (organization_id, tracked_link_id, kind, month)
     WHERE m.organization_id = $5
     ORDER BY m.tracked_link_id, m.kind, m.month
       FOR UPDATE OF m
  )
  DELETE FROM click_months m USING locked l
   WHERE m.organization_id = $5
     AND m.tracked_link_id = l.tracked_link_id AND m.kind = l.kind AND m.month = l.month`;

const ADD_DUE = `
  INSERT INTO click_months_due (organization_id, tracked_link_id, kind, month)
  ${LATE} ORDER BY organization_id, tracked_link_id, kind, month
  ON CONFLICT DO NOTHING`;

const PERIODS = (day: string) =>
  `(VALUES (1::smallint, ${day}), (2::smallint, ${monthOfDay(day)})) AS p (unit, start)`;

// Usually none.
const SUMMED = `
  SELECT DISTINCT s.organization_id AS id
    FROM unnest($1::bigint[], $2::date[]) AS d (organization_id, day)
   CROSS JOIN LATERAL ${PERIODS('day')}
    JOIN click_sums s ON s.organization_id = d.organization_id AND s.unit = p.unit AND s.start = p.start
   WHERE s.organization_id = ANY($1)
   ORDER BY id`;

const DELETE_SUMS = `
  WITH locked AS MATERIALIZED (
    SELECT s.unit, s.start
      FROM click_sums s
     WHERE s.organization_id = $1
       AND (s.unit, s.start) IN (SELECT p.unit, p.start FROM unnest($2::date[]) AS day CROSS JOIN LATERAL ${PERIODS('day')})
     ORDER BY s.unit, s.start
       FOR UPDATE OF s
  )
  DELETE FROM click_sums s USING locked l
   WHERE s.organization_id = $1 AND s.unit = l.unit AND s.start = l.start`;

const UNLISTED = `
  SELECT month::date AS month
    FROM generate_series($1::date::timestamp, $2::date - interval '1 month', interval '1 month') AS month
   WHERE NOT EXISTS (SELECT FROM click_months_built b WHERE b.month = month.month::date)
   ORDER BY month`;

const DAYS_OF_MONTH = (month: string) =>
  `d.day >= ${month}::date AND d.day < (${month}::date + interval '1 month')::date`;

const LIST = `
  INSERT INTO click_months_due (organization_id, tracked_link_id, kind, month)
  SELECT organization_id, tracked_link_id, kind, $1::date
    FROM click_rollups d
   WHERE ${DAYS_OF_MONTH('$1')}
   GROUP BY organization_id, tracked_link_id, kind
  HAVING sum(cardinality(dimensions)) >= $2
  ON CONFLICT DO NOTHING`;

const DUE = `
  SELECT organization_id AS "organizationId", tracked_link_id AS "trackedLinkId", kind AS "trackedLinkKind", month
    FROM click_months_due WHERE month < $1
   ORDER BY organization_id, tracked_link_id, kind, month`;

const BUILD = `
  WITH pairs AS (
    ${valuesOfDays(
      {
        from: 'click_rollups d',
        where: `d.organization_id = $1 AND d.tracked_link_id = $2 AND d.kind = $3 AND ${DAYS_OF_MONTH('$4')}`,
      },
      'd.day,',
    )}
  ), hours AS (
    SELECT ${hourOfWeek('day', 'value')} AS hour, sum(count)::bigint AS count FROM pairs WHERE ${isHour('value')} GROUP BY 1
  )
  INSERT INTO click_months (organization_id, tracked_link_id, kind, month, dimensions, counts, hours_of_week)
  SELECT $1, $2, $3, $4, dimensions, counts,
         ARRAY(SELECT coalesce(count, 0) FROM generate_series(0, 167) AS hour LEFT JOIN hours USING (hour) ORDER BY hour)
    FROM (${boundedValues('pairs')}) AS month
   WHERE (SELECT count(*) FROM pairs) >= $5
  ON CONFLICT (organization_id, tracked_link_id, kind, month) DO UPDATE
     SET dimensions = excluded.dimensions, counts = excluded.counts, hours_of_week = excluded.hours_of_week`;
