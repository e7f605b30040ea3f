import { Injectable } from '@nestjs/common';
import type { Platform } from '../../apps/app.entity';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { SessionLifecycle } from '../../sessions/session-lifecycle';
import { sessionIdOf } from '../../sessions/session-ids';
import { type OwnApp, SessionStore } from '../../sessions/session-store';
import { type TokenClick, TokenClicks } from '../../attribution/tokens/token-clicks';
import { TokenMatches } from '../../attribution/tokens/token-matches';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** An app that the system has opened for the address of a link or campaign. */
export interface LinkOpening {
  platform: Platform;
  trackedLink: TrackedLinkRef;
  goalType: string | null;
  /** The click, where the address had its token. */
  click: TokenClick | null;
  /** The session, as the app names it. */
  sessionId: string | null;
  isFirstLaunch: boolean | null;
}

/** What became of an opening. */
export interface RecordedOpening {
  /** As the app names it; null for one that belongs to no session. */
  sessionId: string | null;
  /** Whether somebody came back who had the app. */
  returned: boolean;
}

/** Lets sessions go on in the app that a link has opened. */
@Injectable()
export class LinkOpenings {
  constructor(
    private readonly clicks: TokenClicks,
    private readonly matches: TokenMatches,
    private readonly sessions: SessionStore,
    private readonly lifecycle: SessionLifecycle,
    private readonly database: Database,
  ) {}

  /** @param work what else is recorded with it, in the same transaction @throws NotFound for another app's session */
  async record(
    app: OwnApp,
    opening: LinkOpening,
    work: (tx: Tx, recorded: RecordedOpening) => Promise<void>,
  ): Promise<RecordedOpening> {
    const { platform, goalType, trackedLink, click, sessionId, isFirstLaunch } = opening;
    const start = { platform: platform === 'Web' ? null : platform, isFirstLaunch, goalType };
    const finish = async (tx: Tx, recorded: RecordedOpening) => {
      await work(tx, recorded);
      return recorded;
    };
    if (click) {
      return this.database.write(async (tx) => finish(tx, await this.matches.match(tx, app, click, start)));
    }
    const returned = isFirstLaunch !== true;
    if (sessionId === null) return this.database.write((tx) => finish(tx, { sessionId, returned }));
    const id = sessionIdOf(app.appId, sessionId);
    return this.sessions.transact(app, id, async (tx) => {
      await this.lifecycle.openApp(tx, app, id, { ...start, trackedLink, installed: !returned });
      return finish(tx, { sessionId, returned });
    });
  }

  /** Records what did not lead into the app. */
  fail(work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.database.write(work);
  }

  /** The click of a token that is one on this very link, for this app; null for every other token. */
  async clickOf(
    { organizationId, appId }: OwnApp,
    trackedLink: TrackedLinkRef,
    token: string,
  ): Promise<TokenClick | null> {
    const click = await this.clicks.find(organizationId, token);
    const isOfLink = click?.trackedLink.kind === trackedLink.kind && click.trackedLink.id === trackedLink.id;
    return isOfLink && click.appIds.includes(appId) ? click : null;
  }
}
