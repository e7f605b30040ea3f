import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { QUARTER_MINUTES } from '../sessions/funnel';
import { Clock } from '../../common/time/clock';
import { TOKEN_DAYS } from './tokens/app-page-tokens';
import { FINGERPRINT_MS } from './tokens/deep-link-tokens.service';
import { Database } from '../../infrastructure/database/database';
import { deleteInBatches, batchOf, batchOfAll } from '../../infrastructure/database/delete-in-batches';
import { forEachSettled } from '../../common/for-each-settled';

const DAY_MS = 86_400_000;

/** Deletes fingerprints and tokens, and rows past their retention; daily sums are kept longer. */
@Injectable()
export class AttributionHousekeeping {
  private readonly logger = new Logger(AttributionHousekeeping.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Runs often, because fingerprints must not outlive their 24 hours for long. Tokens are kept for seven days. */
  @Cron('*/10 * * * *', { timeZone: 'UTC' })
  forget(): Promise<boolean> {
    return this.schedule.run('deep-links.forget', 600, async () => {
      const now = this.clock.now();
      await deleteInBatches(this.database, FORGET_FINGERPRINTS, [new Date(now - FINGERPRINT_MS)]);
      await deleteInBatches(this.database, DELETE_TOKENS, [new Date(now - TOKEN_DAYS * DAY_MS)]);
    });
  }

  @Cron('53 3 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('deep-links.retention', 86_400, async () =>
      this.deleteOlder(await this.organizations.retentionDays('eventRetentionDays')),
    );
  }

  /** @param retentionDays by organization id */
  async deleteOlder(retentionDays: ReadonlyMap<number, number>): Promise<void> {
    const now = this.clock.now();
    const deleteOf = async ([organizationId, days]: readonly [number, number]) => {
      // One day more covers time zones whose day ends after UTC's.
      const until = new Date(now - (days + 1) * DAY_MS);
      for (const statement of DELETE_OLD) {
        await deleteInBatches(this.database, statement, [until, organizationId]);
      }
    };
    await forEachSettled([...retentionDays], deleteOf, { logger: this.logger, what: 'Retention of events' });
  }
}

const TOKEN = 'issued_at, token_hash, organization_id';

const FORGET_FINGERPRINTS = `
  UPDATE deep_link_tokens
     SET ip_hash = NULL, user_agent = NULL, resolution = NULL, language = NULL, device_model = NULL, os_version = NULL,
         browser_id = NULL
   WHERE ${batchOfAll('deep_link_tokens', TOKEN, 'user_agent IS NOT NULL AND issued_at <= $1')}`;

const DELETE_TOKENS = `DELETE FROM deep_link_tokens WHERE ${batchOfAll('deep_link_tokens', TOKEN, 'issued_at <= $1')}`;

const UTC_DAY = `($1::timestamptz AT TIME ZONE 'UTC')::date`;

const DELETE_OLD = Object.entries({
  funnel_sessions: 'started_at < $1',
  session_events: `day < ${UTC_DAY}`,
  session_transitions: `day < ${UTC_DAY}`,
  session_users: `day < ${UTC_DAY}`,
  goals: `day < ${UTC_DAY}`,
  app_installs: 'installed_at < $1',
  reengagements: 'occurred_at < $1',
  reengaged_users: `last_day < ${UTC_DAY}`,
  deep_link_resolutions: 'attempted_at < $1',
  funnel_rollups: `minutes = ${QUARTER_MINUTES} AND starts_at < $1`,
}).map(([table, old]) => `DELETE FROM ${table} WHERE ${batchOf(table, '$2', old)}`);
