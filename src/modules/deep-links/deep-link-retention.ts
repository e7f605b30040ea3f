import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QUARTER_MINUTES } from '../../common/funnel';
import { Clock } from '../../common/time/clock';
import { organizationsByDays } from '../clicks/click-retention';
import { TOKEN_DAYS } from './app-page-tokens';
import { FINGERPRINT_MS } from './deep-link-tokens.service';

const DAY_MS = 86_400_000;

/** Deletes what has had its time: fingerprints, tokens, and rows past the organization's retention. */
@Injectable()
export class DeepLinkRetention {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Fingerprints after their 24 hours, tokens after their seven days. */
  async forget(): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(FORGET_FINGERPRINTS, [new Date(now - FINGERPRINT_MS)]);
    await this.dataSource.query(`DELETE FROM deep_link_tokens WHERE issued_at <= $1`, [
      new Date(now - TOKEN_DAYS * DAY_MS),
    ]);
  }

  /** What is older than statistics reach. Sums of days stay, as those of clicks do. @param retentionDays by organization */
  async deleteOld(retentionDays: ReadonlyMap<number, number>): Promise<void> {
    const now = this.clock.now();
    for (const [days, organizationIds] of organizationsByDays(retentionDays)) {
      // One day more: today's ends in some time zone when UTC's is long over.
      const until = new Date(now - (days + 1) * DAY_MS);
      for (const statement of DELETE_OLD) await this.dataSource.query(statement, [organizationIds, until]);
    }
  }
}

const FORGET_FINGERPRINTS = `
  UPDATE deep_link_tokens
     SET ip_hash = NULL, user_agent = NULL, resolution = NULL, language = NULL, device_model = NULL, os_version = NULL
   WHERE user_agent IS NOT NULL AND issued_at <= $1`;

const DELETE_OLD = [
  `DELETE FROM funnel_sessions WHERE organization_id = ANY($1) AND started_at < $2`,
  `DELETE FROM app_installs WHERE organization_id = ANY($1) AND installed_at < $2`,
  `DELETE FROM reengagements WHERE organization_id = ANY($1) AND occurred_at < $2`,
  `DELETE FROM reengaged_users WHERE organization_id = ANY($1) AND last_day < ($2::timestamptz AT TIME ZONE 'UTC')::date`,
  `DELETE FROM deep_link_resolutions WHERE organization_id = ANY($1) AND attempted_at < $2`,
  `DELETE FROM funnel_rollups WHERE organization_id = ANY($1) AND minutes = ${QUARTER_MINUTES} AND starts_at < $2`,
];
