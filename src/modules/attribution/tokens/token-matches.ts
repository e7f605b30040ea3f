import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { uuidV7 } from '../../../common/uuid';
import { isInstall } from '../../sessions/app-start';
import { SessionWebhooks } from '../../sessions/events/session-webhooks';
import { knownBrowser } from './open-clicks';
import { hasReached } from '../../sessions/session';
import { reachByStart } from '../../sessions/session-installs';
import { type OwnApp, SessionStore } from '../../sessions/session-store';
import { sqlKeyOf } from './app-page-tokens';
import type { TokenClick } from './token-clicks';
import type { Tx } from '../../../infrastructure/database/database';

export interface TokenStart {
  /** Null for a web app. */
  platform: 'iOS' | 'Android' | null;
  /** As reported by the app, if it was. */
  isFirstLaunch: boolean | null;
  /** Goal type of the link or campaign. */
  goalType: string | null;
}

export interface TokenMatch {
  /** Null for a click that is not counted. */
  sessionId: string | null;
  /** Whether the person already had the app. */
  returned: boolean;
}

interface Taken {
  isFirst: boolean;
  isKnownBrowser: boolean;
}

@Injectable()
export class TokenMatches {
  constructor(
    private readonly sessions: SessionStore,
    private readonly events: SessionWebhooks,
    private readonly clock: Clock,
  ) {}

  /** Continues the click's session in the app. The token stays valid, but other devices no longer match the click. */
  async match(tx: Tx, app: OwnApp, click: TokenClick, start: TokenStart): Promise<TokenMatch> {
    const { platform, isFirstLaunch } = start;
    const { isFirst, isKnownBrowser } = await this.take(tx, app, click);
    const installed = isInstall({ isFirstLaunch, isKnownBrowser }, isFirst && click.visitedStore);
    const sessionId = click.sessionId ?? (installed ? await this.nameSession(tx, click) : null);
    const change = sessionId && (await this.open(tx, app, click, sessionId));
    if (!change) return { sessionId, returned: !installed };
    const hadInstalled = hasReached(change.stored, 'APP_INSTALLED');
    change.continueIn(app);
    if (click.sessionId === null) change.learn({ trackedLink: click.trackedLink, goalType: start.goalType });
    const stages = reachByStart(change, platform, installed);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { stages });
    // A repeated call during the first start is not a re-engagement.
    return { sessionId, returned: !installed && (isFirstLaunch === false || !hadInstalled) };
  }

  private async take(tx: Tx, { appId }: OwnApp, { key }: TokenClick): Promise<Taken> {
    const own = sqlKeyOf(key);
    const [taken] = await tx.query<Taken>(TAKE, [...own, appId]);
    if (taken?.isFirst) await tx.query(MARK_MATCHED, [...own, this.clock.date()]);
    return taken ?? { isFirst: false, isKnownBrowser: false };
  }

  /** Starts a session for the install if the click has none because de-duplication has filtered it out. */
  private async nameSession(tx: Tx, { key }: TokenClick): Promise<string> {
    const parameters = [...sqlKeyOf(key), uuidV7(this.clock.now())];
    const [named] = await tx.query<{ id: string }>(NAME_SESSION, parameters);
    if (!named) throw new Error("A click's token row disappeared");
    return named.id;
  }

  private open(tx: Tx, app: OwnApp, click: TokenClick, sessionId: string) {
    return click.sessionId === null
      ? this.sessions.openOrBegin(tx, app, sessionId, null)
      : this.sessions.openAny(tx, app.organizationId, sessionId);
  }
}

const OWN_ROW = 'issued_at = $1 AND token_hash = $2 AND organization_id = $3';

/** Locks the row, so that only one of two concurrent starts is the first. */
const TAKE = {
  name: 'tokens.take',
  text: `
    SELECT taken.matched_at IS NULL AS "isFirst", ${knownBrowser('$3', '$4::bigint')} AS "isKnownBrowser"
      FROM deep_link_tokens AS taken WHERE ${OWN_ROW} FOR UPDATE OF taken`,
};

const MARK_MATCHED = {
  name: 'tokens.mark-matched',
  text: `UPDATE deep_link_tokens SET matched_at = $4 WHERE ${OWN_ROW}`,
};

const NAME_SESSION = {
  name: 'tokens.name-session',
  text: `
    UPDATE deep_link_tokens SET session_id = coalesce(session_id, $4::uuid) WHERE ${OWN_ROW}
    RETURNING session_id AS id`,
};
