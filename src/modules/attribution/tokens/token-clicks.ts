import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { trackedLinkKindOf } from '../../clicks/click';
import { AppPageTokens, type KnownToken, sqlKeyOf } from './app-page-tokens';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { Database } from '../../../infrastructure/database/database';

export interface TokenClick {
  key: KnownToken;
  trackedLink: TrackedLinkRef;
  /** The apps that the page may open, first the one for the visitor's phone. */
  appIds: readonly number[];
  /** Whether the page sent its visitor to the store, in which case the app was installed after the click. */
  visitedStore: boolean;
  /** Null for a click that de-duplication has filtered out. */
  sessionId: string | null;
}

interface Row {
  kind: number;
  trackedLinkId: number;
  sessionId: string | null;
  appId: number | null;
  otherAppId: number | null;
  visitedStore: boolean;
}

/** Retries, because an app may present the token before its click is counted, which takes up to two seconds. */
const RETRIES = { times: 20, ms: 100 };

@Injectable()
export class TokenClicks {
  constructor(
    private readonly tokens: AppPageTokens,
    private readonly database: Database,
  ) {}

  /** @returns null if the token is unknown, expired or another organization's */
  async find(organizationId: number, token: string): Promise<TokenClick | null> {
    const key = this.tokens.read(token);
    if (key?.organizationId !== organizationId) return null;
    for (let i = 0; ; i++) {
      const [row] = await this.database.hot<Row>(FIND, sqlKeyOf(key));
      if (row) return toClick(key, row);
      if (i === RETRIES.times) return null;
      await delay(RETRIES.ms);
    }
  }
}

function toClick(key: KnownToken, row: Row): TokenClick {
  const { kind, trackedLinkId, sessionId, appId, otherAppId, visitedStore } = row;
  const appIds = [appId, otherAppId].filter((id) => id !== null);
  return {
    key,
    trackedLink: { kind: trackedLinkKindOf(kind), id: trackedLinkId },
    appIds,
    visitedStore,
    sessionId,
  };
}

const FIND = {
  name: 'tokens.click',
  text: `
    SELECT kind, tracked_link_id AS "trackedLinkId", session_id AS "sessionId", app_id AS "appId",
           other_app_id AS "otherAppId", store_visited_at IS NOT NULL AS "visitedStore"
      FROM deep_link_tokens
     WHERE issued_at = $1 AND token_hash = $2 AND organization_id = $3 AND tracked_link_id IS NOT NULL`,
};
