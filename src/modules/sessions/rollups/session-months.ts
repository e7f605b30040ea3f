import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { DAY_MS, firstOfMonth } from '../../../common/time/months';
import { Database } from '../../../infrastructure/database/database';

interface Month {
  organizationId: number;
  month: string;
}

/**
 * Compacts goals and users of finished months, so that queries of a year read months, and days only at both ends. A
 * late change marks its month as not compacted in the same transaction (`lateMonths`); queries then read its days until
 * the next run.
 */
@Injectable()
export class SessionMonths {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Compacts months two days after their end in UTC, which covers every time zone and clock skew.
   * @param retentionDays days by organization id
   */
  async compact(retentionDays: ReadonlyMap<number, number>): Promise<void> {
    const now = this.clock.now();
    const last = firstOfMonth(now - 2 * DAY_MS);
    for (const [organizationId, days] of retentionDays) {
      const oldest = firstOfMonth(now - days * DAY_MS);
      const months = await this.database.read<{ month: string }>(OUTSTANDING, [organizationId, oldest, last]);
      for (const { month } of months) await this.compactMonth({ organizationId, month });
    }
  }

  private async compactMonth({ organizationId, month }: Month): Promise<void> {
    await this.database.write(async (tx) => {
      // Waits for transactions that have marked the month, and blocks later ones until the sums are written.
      await tx.query(MARK_COMPACTED, [organizationId, month]);
      for (const statement of COMPACT) await tx.slow(statement, [organizationId, month]);
    });
  }
}

/** Months of organization $1 from $2 until before $3 that are not compacted; none if it has no goals and no users. */
const OUTSTANDING = `
  SELECT m.month::date AS month
    FROM generate_series($2::date::timestamp, $3::date - interval '1 month', interval '1 month') AS m (month)
   WHERE NOT EXISTS (SELECT FROM session_months s
                      WHERE s.organization_id = $1 AND s.month = m.month::date AND s.is_compacted)
     AND (EXISTS (SELECT FROM goal_rollups g WHERE g.organization_id = $1)
          OR EXISTS (SELECT FROM session_user_rollups u WHERE u.organization_id = $1))
   ORDER BY m.month`;

const MARK_COMPACTED = `
  INSERT INTO session_months (organization_id, month, is_compacted) VALUES ($1, $2, true)
  ON CONFLICT (organization_id, month) DO UPDATE SET is_compacted = true`;

const IN_MONTH = `organization_id = $1 AND day >= $2::date AND day < ($2::date + interval '1 month')::date`;

const COMPACT = [
  `DELETE FROM goal_months WHERE organization_id = $1 AND month = $2`,
  // Subject 0 is the total, which is not ranked.
  `INSERT INTO goal_months (organization_id, subject_kind, month, app_id, subject_id, goal_type, currency, goals)
   SELECT organization_id, subject_kind, $2, app_id, subject_id, goal_type, currency, sum(goals)
     FROM goal_rollups
    WHERE ${IN_MONTH} AND subject_kind IN (1, 2) AND subject_id <> 0
    GROUP BY organization_id, subject_kind, app_id, subject_id, goal_type, currency
   HAVING sum(goals) <> 0`,
  `DELETE FROM session_user_days WHERE ${IN_MONTH}`,
  `INSERT INTO session_user_days (organization_id, app_id, day, users)
   SELECT organization_id, app_id, day, sum(users)
     FROM session_user_rollups
    WHERE ${IN_MONTH}
    GROUP BY organization_id, app_id, day
   HAVING sum(users) <> 0`,
];
