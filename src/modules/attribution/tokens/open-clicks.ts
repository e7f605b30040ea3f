import { Injectable, type OnModuleInit } from '@nestjs/common';
import { trackedLinkKindOf } from '../../clicks/click';
import { Visitors } from '../../clicks/visitors';
import { AppPageTokens, parseTokenKey } from './app-page-tokens';
import { deviceOf } from '../fingerprints/device';
import type { Candidate } from '../fingerprints/fingerprint-choice';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import type { Session } from '../../sessions/session';
import { fromSessionRow, SELECT_SESSIONS, type StoredSession } from '../../sessions/sessions.repository';
import { Database, type Tx } from '../../../infrastructure/database/database';

export interface OpenClick extends Candidate {
  /** Key of its token, together with `clickedAt`. */
  tokenHash: Buffer;
  trackedLink: TrackedLinkRef;
  /** Null for a click that de-duplication has filtered out. */
  sessionId: string | null;
}

export interface TakenClick {
  /** A new token for the click, because the page's token is only stored as a hash. */
  token: string;
  /** Null if the click has no session yet. */
  session: Session | null;
  /** Whether an earlier click from the same browser was matched with the app. */
  isKnownBrowser: boolean;
}

interface Row {
  issuedAt: Date;
  tokenHash: Buffer;
  kind: number;
  trackedLinkId: number;
  sessionId: string | null;
  userAgent: string;
  resolution: string | null;
  language: string | null;
  deviceModel: string | null;
  osVersion: string | null;
  browserId: string | null;
}

/** Limits the open clicks compared per IP address; among thousands, no match is reliable. */
const MOST = 500;

/** Finds open clicks by IP address, and takes each at most once. */
@Injectable()
export class OpenClicks implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly visitors: Visitors,
    private readonly tokens: AppPageTokens,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.visitors.loadAddressSalt();
  }

  /**
   * The latest open clicks on links to this app, including expired ones that have not been deleted yet.
   * @param ip normalized by `normalizeIp`
   * @returns `complete: false` if there are more
   */
  async at(
    ip: string,
    { organizationId, appId }: { organizationId: number; appId: number },
  ): Promise<{ clicks: OpenClick[]; complete: boolean }> {
    const address = Buffer.from(this.visitors.addressHash(ip), 'hex');
    const rows = await this.database.hot<Row>(FIND, [organizationId, address, appId]);
    return { clicks: rows.slice(0, MOST).map(toOpenClick), complete: rows.length <= MOST };
  }

  /**
   * Takes a click for an app and locks its session.
   * @param sessionId the session of the click, or a new one
   * @returns null if the click has already been taken
   */
  async take(
    tx: Tx,
    { clickedAt, tokenHash }: OpenClick,
    by: { organizationId: number; appId: number; sessionId: string; at: Date },
  ): Promise<TakenClick | null> {
    const { token, key } = this.tokens.issue(by.organizationId, clickedAt);
    const [taken] = await tx.query<(StoredSession | { id: null }) & { isKnownBrowser: boolean }>(TAKE, [
      new Date(clickedAt),
      tokenHash,
      by.at,
      by.sessionId,
      Buffer.from(parseTokenKey(key).hash, 'base64url'),
      by.appId,
      by.organizationId,
    ]);
    if (!taken) return null;
    const session = taken.id === null ? null : fromSessionRow(taken);
    return { token, session, isKnownBrowser: taken.isKnownBrowser };
  }
}

function toOpenClick(row: Row): OpenClick {
  const { issuedAt, tokenHash, kind, trackedLinkId, sessionId, browserId, ...page } = row;
  return {
    tokenHash,
    clickedAt: issuedAt.getTime(),
    trackedLink: { kind: trackedLinkKindOf(kind), id: trackedLinkId },
    sessionId,
    visitor: browserId ?? JSON.stringify(page),
    device: deviceOf(page),
  };
}

/**
 * SQL condition: another click from the same browser as `taken` has been matched with the app. Browser ids are stored
 * for a day.
 * @param organizationId placeholder in the statement
 * @param appId placeholder in the statement
 */
export const knownBrowser = (organizationId: string, appId: string) => `
  EXISTS (SELECT 1 FROM deep_link_tokens AS earlier
           WHERE earlier.organization_id = ${organizationId} AND earlier.browser_id = taken.browser_id
             AND earlier.matched_at IS NOT NULL AND earlier.token_hash <> taken.token_hash
             AND ${appId} IN (earlier.app_id, earlier.other_app_id))`;

const FIND = {
  name: 'deep-links.open-clicks',
  text: `
    SELECT issued_at AS "issuedAt", token_hash AS "tokenHash", kind, tracked_link_id AS "trackedLinkId",
           session_id AS "sessionId", user_agent AS "userAgent", resolution, language, device_model AS "deviceModel",
           os_version AS "osVersion", browser_id AS "browserId"
      FROM deep_link_tokens
     WHERE organization_id = $1 AND ip_hash = $2 AND matched_at IS NULL AND $3 IN (app_id, other_app_id)
     ORDER BY issued_at DESC
     LIMIT ${MOST + 1}`,
};

// Only one of two concurrent starts updates the row. The new token does not make the click open again.
const TAKE = {
  name: 'deep-links.take-click',
  text: `
    WITH taken AS (
      UPDATE deep_link_tokens SET matched_at = $3, session_id = coalesce(session_id, $4::uuid)
       WHERE issued_at = $1 AND token_hash = $2 AND organization_id = $7 AND matched_at IS NULL
      RETURNING *
    ), named AS (
      INSERT INTO deep_link_tokens (issued_at, token_hash, organization_id, kind, tracked_link_id, app_id,
                                    other_app_id, click_id, session_id, store_visited_at, matched_at)
      SELECT issued_at, $5, organization_id, kind, tracked_link_id, app_id, other_app_id, click_id, session_id,
             store_visited_at, matched_at
        FROM taken
    )
    SELECT s.*, ${knownBrowser('$7', '$6::bigint')} AS "isKnownBrowser"
      FROM taken LEFT JOIN LATERAL (
             SELECT * FROM (
               ${SELECT_SESSIONS} WHERE organization_id = $7 AND id = taken.session_id FOR UPDATE
             ) AS w
           ) AS s ON true`,
};
