import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../common/time/clock';
import { Database } from '../infrastructure/database/database';
import { forEachSettled } from '../infrastructure/schedule/for-each-settled';
import { OncePerSchedule } from '../infrastructure/schedule/once-per-schedule';
import { FORGET_AFTER_MS } from './console/login-attempts';

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

/** Deletes expired sessions, invitations, sign-in links and login failures, and users of deleted organizations. */
@Injectable()
export class AccessHousekeeping {
  private readonly logger = new Logger(AccessHousekeeping.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Cron('7-59/10 * * * *', { timeZone: 'UTC' })
  deleteExpired(): Promise<boolean> {
    return this.schedule.run('access.purge', 600, () => this.deleteFromAll());
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
