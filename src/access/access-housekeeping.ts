import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DateTime } from 'luxon';
import { Clock } from '../common/time/clock';
import { Database } from '../infrastructure/database/database';
import { forEachSettled } from '../common/for-each-settled';
import { OncePerSchedule } from '../infrastructure/schedule/once-per-schedule';
import { FORGET_AFTER_MS } from './console/login-attempts';
import { OrganizationsService } from './organizations/organizations.service';

/** Rows per statement; few, because sign-ins wait for its locks. */
const BATCH = 1_000;

/** Conditions on rows that can no longer be used, by table; `$1` is the time. */
const EXPIRED = {
  console_sessions: 'expires_at <= $1',
  invitations: 'expires_at <= $1',
  sign_in_links: 'expires_at <= $1',
  oidc_sign_ins: 'expires_at <= $1',
  login_failures: `last_at <= $1::timestamptz - interval '${FORGET_AFTER_MS} milliseconds'`,
} as const;

/** Deleted organizations with users that were added during the deletion. */
const WITH_USERS = `
  SELECT DISTINCT o.id FROM organizations AS o JOIN users AS u ON u.organization_id = o.id
   WHERE o.deleted_at <= $1`;

// The oldest entries by id, which grows with time, because there is no index by time.
const OLD_ENTRIES = `
  DELETE FROM audit_log a
   USING (SELECT id FROM audit_log WHERE organization_id = $1 ORDER BY id LIMIT 10000) AS first
   WHERE a.organization_id = $1 AND a.id = first.id AND a.at < $2`;

@Injectable()
export class AccessHousekeeping {
  private readonly logger = new Logger(AccessHousekeeping.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly organizations: OrganizationsService,
  ) {}

  @Cron('7-59/10 * * * *', { timeZone: 'UTC' })
  deleteExpired(): Promise<boolean> {
    return this.schedule.run('access.purge', 600, () => this.deleteFromAll());
  }

  /** Deletes entries of the audit log past their retention (docs/concepts/access.md#audit-log). */
  @Cron('13 4 * * *', { timeZone: 'UTC' })
  deleteOldEntries(): Promise<boolean> {
    return this.schedule.run('access.audit', 86_400, async () => {
      const now = DateTime.fromMillis(this.clock.now(), { zone: 'utc' });
      await forEachSettled(
        await this.organizations.terms(),
        async ({ id, limits }) => {
          const before = now.minus({ months: limits.auditRetentionMonths }).toJSDate();
          while ((await this.database.execute(OLD_ENTRIES, [id, before])) > 0);
        },
        { logger: this.logger, what: 'Deletion of old audit entries' },
      );
    });
  }

  private async deleteFromAll(): Promise<void> {
    const now = this.clock.date();
    const works = Object.entries(EXPIRED).map(([table, isExpired]) => ({
      table,
      run: () => this.deleteFrom(table, isExpired, now),
    }));
    await forEachSettled(
      [...works, { table: 'users', run: () => this.deleteUsers(now) }],
      ({ run }) => run(),
      {
        logger: this.logger,
        what: 'Deletion of expired rows',
      },
    );
  }

  private async deleteUsers(now: Date): Promise<void> {
    const organizations = await this.database.read<{ id: number }>(WITH_USERS, [now]);
    const ids = organizations.map(({ id }) => id);
    await this.deleteFrom('users', 'organization_id = ANY ($1::bigint[])', ids);
  }

  private async deleteFrom(table: string, isExpired: string, parameter: Date | number[]): Promise<void> {
    const statement = `
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} WHERE ${isExpired} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
    for (let deleted = BATCH; deleted === BATCH;)
      deleted = await this.database.execute(statement, [parameter]);
  }
}
