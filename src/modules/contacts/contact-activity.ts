import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../infrastructure/database/database';

/** Metrics that do not count against the organization's limit (docs/concepts/sessions.md#activity). */
export const STANDARD_METRICS = ['login', 'purchase', 'app_open', 'app_install'] as const;

export const MAX_METRIC = 50;

export interface MemberAction {
  readonly organizationId: number;
  readonly externalUserId: string;
  /** At most MAX_METRIC characters. */
  readonly metric: string;
  readonly at: Date;
  /** An amount in the organization's base currency, or another number; null: the action is only counted. */
  readonly amount: number | string | null;
}

/** Summary of a contact's actions of one metric. */
export interface Activity {
  readonly metric: string;
  readonly first: Date;
  readonly last: Date;
  readonly count: number;
  readonly sum: number;
}

const STANDARD = STANDARD_METRICS.map((metric) => `'${metric}'`).join(', ');
/** Maximum of the column, at which sums stop. */
const MAX_SUM = '99999999999999999999.9999';

/**
 * Records the actions in the CTE `actions` (organization_id, contact_id, metric, at, amount) of the same statement,
 * which must have locked the contacts, against a concurrent withdrawal. Lock order: sessions; contacts by member id;
 * the organization of a new metric; activities.
 */
export const RECORD_ACTIONS = `
  done AS MATERIALIZED (
    SELECT organization_id, contact_id, metric, min(at) AS first_at, max(at) AS last_at,
           count(*) AS count, coalesce(sum(amount), 0) AS sum
      FROM actions GROUP BY organization_id, contact_id, metric
  ), admitted AS MATERIALIZED (
    SELECT organization_id, metric FROM done WHERE metric IN (${STANDARD})
     UNION
    SELECT w.organization_id, a.metric
      FROM (SELECT organization_id, array_agg(DISTINCT metric) AS metrics FROM done
             WHERE metric NOT IN (${STANDARD}) GROUP BY organization_id ORDER BY organization_id) AS w,
           admit_activity_metrics(w.organization_id, w.metrics) AS a (metric)
  ), recorded AS (
    INSERT INTO contact_activities AS known (organization_id, contact_id, metric, first_at, last_at, count, sum)
    SELECT organization_id, contact_id, metric, first_at, last_at, count, least(sum, ${MAX_SUM})
      FROM done JOIN admitted USING (organization_id, metric)
     ORDER BY organization_id, contact_id, metric
    ON CONFLICT (organization_id, contact_id, metric) DO UPDATE
       SET first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at),
           count = known.count + excluded.count, sum = least(known.sum + excluded.sum, ${MAX_SUM})
  )`;

const RECORD = `
  WITH taken AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::numeric[])
      AS t (organization_id, external_user_id, metric, at, amount)
  ), actions AS MATERIALIZED (
    SELECT m.organization_id, m.contact_id, t.metric, t.at, t.amount
      FROM lock_members($1::bigint[], $2::text[]) AS m JOIN taken AS t USING (organization_id, external_user_id)
  ), ${RECORD_ACTIONS}
  SELECT`;

/**
 * First time, last time, count and sum of a contact's actions by metric (docs/concepts/sessions.md#activity). Only
 * active contacts have activity. The organization's limit applies to new metrics only.
 */
@Injectable()
export class ContactActivity {
  constructor(private readonly database: Database) {}

  /** Records actions in the caller's transaction with a single statement, which must be the last one to lock rows. */
  async record(tx: Tx, actions: readonly MemberAction[]): Promise<void> {
    if (actions.length === 0) return;
    await tx.query(RECORD, [
      actions.map(({ organizationId }) => organizationId),
      actions.map(({ externalUserId }) => externalUserId),
      actions.map(({ metric }) => metric),
      actions.map(({ at }) => at),
      actions.map(({ amount }) => amount),
    ]);
  }

  of(organizationId: number, contactId: number): Promise<Activity[]> {
    return this.database.read<Activity>(
      `SELECT metric, first_at AS first, last_at AS last, count, sum::float8 AS sum
         FROM contact_activities WHERE organization_id = $1 AND contact_id = $2 ORDER BY metric`,
      [organizationId, contactId],
    );
  }

  /** Deletes the activity of a contact whose row the transaction has locked. The organization's metrics are kept. */
  async forget(tx: Tx, organizationId: number, contactId: number): Promise<void> {
    const sql = 'DELETE FROM contact_activities WHERE organization_id = $1 AND contact_id = $2';
    await tx.execute(sql, [organizationId, contactId]);
  }
}
