import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { Clock } from '../common/time/clock';
import { Database } from '../infrastructure/database/database';
import { eachApart } from '../infrastructure/schedule/each-apart';
import { OncePerSchedule } from '../infrastructure/schedule/once-per-schedule';
import { FORGET_AFTER_MS } from './console/login-attempts';

/** Small, because sign-ins wait for the locks of a statement. */
const BATCH = 1_000;

/** Rows that can no longer be used, by table; `$1` is the time. */
const EXPIRED = {
  console_sessions: 'expires_at <= $1',
  invitations: 'expires_at <= $1',
  sign_in_links: 'expires_at <= $1',
  oidc_sign_ins: 'expires_at <= $1',
  // Users that a deletion missed: added while it ran, or left by an older version.
  users: 'organization_id IN (SELECT id FROM organizations WHERE deleted_at <= $1)',
  login_failures: `last_at <= $1::timestamptz - interval '${FORGET_AFTER_MS} milliseconds'`,
} as const;

/** Deletes expired sessions, invitations, sign-in links and login failures, and users of deleted organizations, on a schedule. */
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
    await eachApart(Object.entries(EXPIRED), ([table, isExpired]) => this.deleteFrom(table, isExpired, now), {
      logger: this.logger,
      what: 'Deletion of expired rows',
    });
  }

  private async deleteFrom(table: string, isExpired: string, now: Date): Promise<void> {
    const statement = `
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
        SELECT ctid FROM ${table} WHERE ${isExpired} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
    for (let deleted = BATCH; deleted === BATCH;) deleted = await this.database.execute(statement, [now]);
  }
}
