import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import { Clock } from '../../../common/time/clock';
import { sanitizeText } from '../../../common/sanitize-text';
import { AppPageTokens, type TokenKey } from './app-page-tokens';
import { SessionJourneys } from '../../sessions/session-journeys';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** How long what is known of a device is kept, to find its click again (docs/concepts/deep-links.md#what-is-kept). */
export const FINGERPRINT_MS = 86_400_000;

const MAX_USER_AGENT = 1_000;

/** What a page tells of the device that it is shown on. */
export interface Fingerprint {
  userAgent: string;
  resolution?: string | null;
  language?: string | null;
  deviceModel?: string | null;
  osVersion?: string | null;
  /** Random id that the page keeps in its browser: phones that look alike, and one that clicks again, differ in it. */
  browserId?: string | null;
}

interface Visited {
  organizationId: number | null;
  sessionId: string | null;
}

/**
 * What pages report by their token. They may be faster than the counting of their click: each side makes the row, or
 * adds to the one that the other has made.
 */
@Injectable()
export class DeepLinkTokensService {
  constructor(
    private readonly tokens: AppPageTokens,
    private readonly sessionJourneys: SessionJourneys,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Keeps what the page knows of its device. What is not said stays. @throws NotFound for an unknown token */
  async updateFingerprint(token: string, fingerprint: Fingerprint): Promise<void> {
    const key = this.keyOf(token);
    // Past its time it would be deleted, and could not match any more.
    if (this.clock.now() - key.issuedAt >= FINGERPRINT_MS) return;
    const { userAgent, resolution, language, deviceModel, osVersion, browserId } = fingerprint;
    await this.database.write((tx) =>
      tx.query(UPDATE_FINGERPRINT, [
        ...sqlKey(key),
        sanitizeText(userAgent, MAX_USER_AGENT),
        resolution ?? null,
        language ?? null,
        deviceModel ?? null,
        osVersion ?? null,
        browserId ?? null,
      ]),
    );
  }

  /** Records that the page has gone to the store: once, however often it is told. @throws NotFound */
  async trackStoreVisit(token: string): Promise<void> {
    const key = this.keyOf(token);
    await this.database.write((tx) => this.visitStore(tx, key));
  }

  private async visitStore(tx: Tx, key: TokenKey): Promise<void> {
    const [first] = await tx.query<Visited>(VISIT_STORE, [...sqlKey(key), this.clock.date()]);
    // Where the click has not been counted yet, counting it finds the visit.
    if (!first || first.organizationId === null || first.sessionId === null) return;
    await this.sessionJourneys.reach(tx, first.organizationId, first.sessionId, 'STORE_VISITED');
  }

  private keyOf(token: string): TokenKey {
    const key = this.tokens.read(token);
    if (!key) throw new NotFound('Token');
    return key;
  }
}

function sqlKey({ issuedAt, hash }: TokenKey): [Date, Buffer] {
  return [new Date(issuedAt), Buffer.from(hash, 'base64url')];
}

const UPDATE_FINGERPRINT = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, user_agent, resolution, language, device_model, os_version,
                                          browser_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (issued_at, token_hash) DO UPDATE
     SET user_agent = excluded.user_agent,
         resolution = coalesce(excluded.resolution, stored.resolution),
         language = coalesce(excluded.language, stored.language),
         device_model = coalesce(excluded.device_model, stored.device_model),
         os_version = coalesce(excluded.os_version, stored.os_version),
         browser_id = coalesce(excluded.browser_id, stored.browser_id)`;

const VISIT_STORE = `
  INSERT INTO deep_link_tokens AS stored (issued_at, token_hash, store_visited_at)
  VALUES ($1, $2, $3)
  ON CONFLICT (issued_at, token_hash) DO UPDATE SET store_visited_at = excluded.store_visited_at
   WHERE stored.store_visited_at IS NULL
  RETURNING organization_id AS "organizationId", session_id AS "sessionId"`;
