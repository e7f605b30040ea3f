import { Injectable } from '@nestjs/common';
import type { Platform } from '../../apps/app.entity';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { SessionLifecycle } from '../../sessions/session-lifecycle';
import { sessionIdOf } from '../../sessions/session-ids';
import { type OwnApp, SessionStore } from '../../sessions/session-store';
import { type TokenClick, TokenClicks } from '../../attribution/tokens/token-clicks';
import { type TokenMatch, TokenMatches } from '../../attribution/tokens/token-matches';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** The opening of an app by the operating system for the URL of a link or campaign. */
export interface LinkOpening {
  platform: Platform;
  trackedLink: TrackedLinkRef;
  goalType: string | null;
  /** The click, if the URL had its token. */
  click: TokenClick | null;
  /** The app's id of the session. */
  sessionId: string | null;
  isFirstLaunch: boolean | null;
}

/** Continues sessions in the app that a link has opened. */
@Injectable()
export class LinkOpenings {
  constructor(
    private readonly clicks: TokenClicks,
    private readonly matches: TokenMatches,
    private readonly sessions: SessionStore,
    private readonly lifecycle: SessionLifecycle,
    private readonly database: Database,
  ) {}

  /**
   * @param work further writes for the same transaction
   * @returns the app's id of the session, which is null without one
   * @throws NotFound for another app's session
   */
  async record(
    app: OwnApp,
    opening: LinkOpening,
    work: (tx: Tx, recorded: TokenMatch) => Promise<void>,
  ): Promise<TokenMatch> {
    const { platform, goalType, trackedLink, click, sessionId, isFirstLaunch } = opening;
    const start = { platform: platform === 'Web' ? null : platform, isFirstLaunch, goalType };
    const finish = async (tx: Tx, recorded: TokenMatch) => {
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

  fail(work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.database.write(work);
  }

  /** The click of a token if it was on this link and for this app, else null. */
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
