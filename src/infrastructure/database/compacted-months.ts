import { randomInt } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { DAY_MS, firstOfMonth } from '../../common/time/months';
import { forEachSettled } from '../../common/for-each-settled';
import { ADVISORY_LOCK } from './advisory-locks';
import { holdOffClaims, inTurn } from './claims';
import { Database } from './database';
import { intArray } from './sql-arrays';
import type { Tx } from './tx';

/** Kinds of compacted data, as stored in `compacted_months`. */
export const FAMILY = { clicks: 1, sessions: 2, customers: 3 } as const;
export type Family = keyof typeof FAMILY;

export interface Compaction {
  family: Family;
  /** SQL condition on organization $1 and `m.month`; false if the month has no days worth compacting. */
  hasDays: string;
  /** SQL that replaces the compacted data of organization $1 and month $2. */
  statements: readonly string[];
}

interface DueMonth {
  family: Family;
  organizationId: number;
  month: string;
}

const MAX_CLAIM = 2 ** 47;

class ClaimLost extends Error {}

/**
 * Which months are compacted, by family and organization. A row without a claim means that the month's sums are exact
 * (docs/adr/0037-days-compacted-into-months.md).
 */
@Injectable()
export class CompactedMonths {
  private readonly logger = new Logger(CompactedMonths.name);

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Marks months as no longer exact. Call it in the transaction that changes their days. */
  async invalidate(
    tx: Tx,
    family: Family,
    changes: readonly { organizationId: number; day: string }[],
  ): Promise<void> {
    const current = firstOfMonth(this.clock.now() - DAY_MS);
    const late = changes.filter(({ day }) => day < current);
    if (late.length === 0) return;
    const organizations = late.map(({ organizationId }) => organizationId);
    await holdOffClaims(tx, ADVISORY_LOCK.compactedMonths, organizations);
    const stored = await tx.query<{ id: number; months: string }>(STORED, [
      FAMILY[family],
      intArray(organizations),
      late.map(({ day }) => day),
    ]);
    for (const { id, months } of stored) await tx.query(DELETE, [FAMILY[family], id, months]);
  }

  /**
   * Compacts months two days after their end in UTC, which covers every time zone and clock skew.
   * @param retentionDays by organization id
   */
  async compact(
    compactions: readonly Compaction[],
    retentionDays: ReadonlyMap<number, number>,
  ): Promise<void> {
    const now = this.clock.now();
    const end = firstOfMonth(now - 2 * DAY_MS);
    const due: DueMonth[] = [];
    const statements = new Map<Family, readonly string[]>();
    for (const { family, hasDays, ...compaction } of compactions) {
      statements.set(family, compaction.statements);
      for (const [organizationId, days] of retentionDays) {
        const kept = new Date(now - days * DAY_MS).toISOString().slice(0, 10);
        const parameters = [organizationId, kept, end, FAMILY[family]];
        const months = await this.database.read<{ month: string }>(
          `${DUE} AND ${hasDays} ORDER BY month`,
          parameters,
        );
        due.push(...months.map(({ month }) => ({ family, organizationId, month })));
      }
    }
    await forEachSettled(due, (each) => this.compactMonth(each, statements.get(each.family) ?? []), {
      logger: this.logger,
      what: 'Compaction of a month',
    });
  }

  private async compactMonth(
    { family, organizationId, month }: DueMonth,
    statements: readonly string[],
  ): Promise<void> {
    const claim = [organizationId, FAMILY[family], month, randomInt(MAX_CLAIM)];
    await this.database.write(async (tx) => {
      await inTurn(tx, ADVISORY_LOCK.compactedMonths, organizationId);
      await tx.query(CLAIM, claim);
    });
    try {
      await this.database.write(async (tx) => {
        await inTurn(tx, ADVISORY_LOCK.monthBuilds, organizationId);
        for (const statement of statements) await tx.slow(statement, [organizationId, month]);
        if ((await tx.execute(COMPLETE, claim)) === 0) throw new ClaimLost();
      });
    } catch (error) {
      // The next run compacts the month.
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
}

/** SQL query for the months of organization $1 that are compacted. */
export const compactedMonths = (family: Family, organization = '$1') =>
  `SELECT month FROM compacted_months
    WHERE organization_id = ${organization} AND family = ${FAMILY[family]} AND claim IS NULL`;

// Usually returns no row.
const STORED = `
  SELECT c.organization_id AS id, array_agg(DISTINCT c.month)::text AS months
    FROM unnest($2::bigint[], $3::date[]) AS changed (organization_id, day)
    JOIN compacted_months c
      ON c.organization_id = changed.organization_id AND c.family = $1
     AND c.month = date_trunc('month', changed.day::timestamp)::date
   WHERE c.organization_id = ANY($2::bigint[])
   GROUP BY c.organization_id
   ORDER BY id`;

// Locks rows in order of organizations and keys, to avoid deadlocks.
const DELETE = `
  WITH locked AS MATERIALIZED (
    SELECT month FROM compacted_months
     WHERE family = $1 AND organization_id = $2 AND month = ANY($3::date[])
     ORDER BY month
       FOR UPDATE
  )
  DELETE FROM compacted_months c USING locked l
   WHERE c.family = $1 AND c.organization_id = $2 AND c.month = l.month`;

const DUE = `
  SELECT m.month::date AS month
    FROM generate_series(date_trunc('month', $2::date::timestamp), $3::date - interval '1 month', interval '1 month')
      AS m (month)
   WHERE m.month >= $2::date
     AND NOT EXISTS (SELECT FROM compacted_months c
                      WHERE c.organization_id = $1 AND c.family = $4 AND c.month = m.month::date AND c.claim IS NULL)`;

const CLAIM = `
  INSERT INTO compacted_months (organization_id, family, month, claim) VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, family, month) DO UPDATE SET claim = excluded.claim`;

const COMPLETE = `
  UPDATE compacted_months SET claim = NULL
   WHERE organization_id = $1 AND family = $2 AND month = $3 AND claim = $4`;
