import { Injectable } from '@nestjs/common';
import type { SessionPlatform, Stage } from './funnel';
import type { TrackedLinkRef } from './rollups/funnel-sums';
import { SessionWebhooks } from './events/session-webhooks';
import type { Session } from './session';
import type { SessionFacts } from './session-change';
import { reachByStart } from './session-installs';
import { type OwnApp, SessionStore } from './session-store';
import type { Tx } from '../../infrastructure/database/database';

interface AppOpening {
  /** Null for a web app. */
  platform: 'iOS' | 'Android' | null;
  /** Whether it is the first start since the install. */
  installed: boolean;
  trackedLink: TrackedLinkRef;
  goalType: string | null;
}

@Injectable()
export class SessionLifecycle {
  constructor(
    private readonly sessions: SessionStore,
    private readonly events: SessionWebhooks,
  ) {}

  /** Creates a session, or adds facts to an existing one. @throws NotFound if it belongs to another app */
  async begin(
    tx: Tx,
    app: OwnApp,
    id: string,
    platform: SessionPlatform | null,
    facts: SessionFacts,
  ): Promise<Session> {
    const change = await this.sessions.openOrBegin(tx, app, id, platform);
    change.learn(facts);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change);
    return change.session;
  }

  /** Links a session to a user. @throws NotFound */
  async linkUser(tx: Tx, app: OwnApp, id: string, externalUserId: string): Promise<Session> {
    const change = await this.sessions.open(tx, app, id);
    change.set({ externalUserId });
    await this.sessions.save(tx, change);
    await this.events.add(tx, change);
    return change.session;
  }

  /** Attributes a session and everything that it has reached to a link or campaign. @throws NotFound */
  async registerLink(
    tx: Tx,
    app: OwnApp,
    id: string,
    trackedLink: TrackedLinkRef,
    facts: Pick<Session, 'goalType' | 'customId'>,
  ): Promise<Session> {
    const change = await this.sessions.open(tx, app, id);
    change.set({ trackedLink, ...facts });
    await this.sessions.save(tx, change);
    return change.session;
  }

  /**
   * Records that a link has opened the app, in a new session if it is unknown. @throws NotFound if it is another app's
   */
  async openApp(
    tx: Tx,
    app: OwnApp,
    id: string,
    { platform, installed, trackedLink, goalType }: AppOpening,
  ): Promise<void> {
    const change = await this.sessions.openOrBegin(tx, app, id, null);
    change.set({ trackedLink, goalType });
    const stages = reachByStart(change, platform, installed);
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { stages });
  }

  /** Records a stage that the service itself has observed. @returns false for an unknown session or a repeated stage */
  async reach(tx: Tx, organizationId: number, id: string, stage: Stage): Promise<boolean> {
    const change = await this.sessions.openAny(tx, organizationId, id);
    if (!change?.reach(stage)) return false;
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { stages: [{ stage, occurredAt: change.at }] });
    return true;
  }
}
