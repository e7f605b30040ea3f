import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { sanitizeText } from '../../../common/sanitize-text';
import { AppPageTokens, type KnownToken, sqlKeyOf } from './app-page-tokens';
import { SessionLifecycle } from '../../sessions/session-lifecycle';
import { Database } from '../../../infrastructure/database/database';

/** Retention of device data for matching (docs/concepts/deep-links.md#what-is-kept). */
export const FINGERPRINT_MS = 86_400_000;

const MAX_USER_AGENT = 1_000;

/** Device data reported by a page. */
export interface Fingerprint {
  userAgent: string;
  resolution?: string | null;
  language?: string | null;
  deviceModel?: string | null;
  osVersion?: string | null;
  /** Random id stored in the browser, which tells two identical phones from one that clicks twice. */
  browserId?: string | null;
}

/**
 * Reports of pages, by token. A report may precede the counting of its click, so whichever comes first inserts the row.
 */
@Injectable()
export class DeepLinkTokensService {
  constructor(
    private readonly tokens: AppPageTokens,
    private readonly lifecycle: SessionLifecycle,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Stores device data; omitted fields stay unchanged. @throws NotFound for an unknown token */
  async updateFingerprint(token: string, fingerprint: Fingerprint): Promise<void> {
    const key = this.keyOf(token);
    // An expired fingerprint cannot match, and would only be deleted.
    if (this.clock.now() - key.issuedAt >= FINGERPRINT_MS) return;
    const { userAgent, resolution, language, deviceModel, osVersion, browserId } = fingerprint;
    await this.database.write(async (tx) => {
      await tx.query(UPDATE_FINGERPRINT, [
        ...sqlKeyOf(key),
        sanitizeText(userAgent, MAX_USER_AGENT),
        resolution ?? null,
        language ?? null,
        deviceModel ?? null,
        osVersion ?? null,
        browserId ?? null,
      ]);
    });
  }

  /** Records that the page sent its visitor to the store; idempotent. @throws NotFound */
  async trackStoreVisit(token: string): Promise<void> {
    const key = this.keyOf(token);
    await this.database.write(async (tx) => {
      const [first] = await tx.query<{ sessionId: string | null }>(VISIT_STORE, [
        ...sqlKeyOf(key),
        this.clock.date(),
      ]);
      // If the click has not been counted yet, counting it includes the visit.
      if (!first || first.sessionId === null) return;
      await this.lifecycle.reach(tx, key.organizationId, first.sessionId, 'STORE_VISITED');
    });
  }

  private keyOf(token: string): KnownToken {
    const key = this.tokens.read(token);
    if (!key) throw new NotFound('Token');
    return key;
  }
}

const UPDATE_FINGERPRINT = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, organization_id, user_agent, resolution, language,
                                          device_model, os_version, browser_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (issued_at, token_hash, organization_id) DO UPDATE
     SET user_agent = excluded.user_agent,
         resolution = coalesce(excluded.resolution, stored.resolution),
         language = coalesce(excluded.language, stored.language),
         device_model = coalesce(excluded.device_model, stored.device_model),
         os_version = coalesce(excluded.os_version, stored.os_version),
         browser_id = coalesce(excluded.browser_id, stored.browser_id)`;

const VISIT_STORE = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, organization_id, store_visited_at)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (issued_at, token_hash, organization_id) DO UPDATE SET store_visited_at = excluded.store_visited_at
   WHERE stored.store_visited_at IS NULL
  RETURNING session_id AS "sessionId"`;
