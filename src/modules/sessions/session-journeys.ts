import { Injectable } from '@nestjs/common';
import type { SessionPlatform, Stage } from './funnel';
import { stagesOfStart } from './app-start';
import type { TrackedLinkRef } from './rollups/funnel-sums';
import { SessionWebhooks } from './events/session-webhooks';
import type { Session } from './session';
import type { SessionFacts } from './session-change';
import { addInstall } from './session-installs';
import { type OwnApp, SessionStore } from './session-store';
import type { Tx } from '../../infrastructure/database/tx';

/** An app that a link has opened. */
interface AppOpening {
  /** null for a web app. */
  platform: 'iOS' | 'Android' | null;
  /** Whether it is the first start since the installation. */
  installed: boolean;
  trackedLink: TrackedLinkRef;
  goalType: string | null;
}

/** Sessions: begun, linked to people and to what led to them. */
@Injectable()
export class SessionJourneys {
  constructor(
    private readonly sessions: SessionStore,
    private readonly events: SessionWebhooks,
  ) {}

  /** Begins a session, or adds what is new to the one of that id. @throws NotFound when another app has it */
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

  /** Says whose session it is. @throws NotFound */
  async linkUser(tx: Tx, app: OwnApp, id: string, externalUserId: string): Promise<Session> {
    const change = await this.sessions.open(tx, app, id);
    change.set({ externalUserId });
    await this.sessions.save(tx, change);
    await this.events.add(tx, change);
    return change.session;
  }

  /** Says which link or campaign led to it; what it reached counts for that one from now on. @throws NotFound */
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

  /** A link has opened the app in this session, which begins where there is none. @throws NotFound */
  async openApp(
    tx: Tx,
    app: OwnApp,
    id: string,
    { platform, installed, trackedLink, goalType }: AppOpening,
  ): Promise<void> {
    const change = await this.sessions.openOrBegin(tx, app, id, null);
    change.set({ trackedLink, goalType });
    const stages = stagesOfStart(platform, installed).filter((stage) => change.reach(stage));
    if (stages.includes('APP_INSTALLED')) addInstall(change, platform === 'iOS' ? 'IOS' : 'ANDROID');
    await this.sessions.save(tx, change);
    const reached = stages.map((stage) => ({ stage, occurredAt: change.at }));
    await this.events.add(tx, change, { stages: reached });
  }

  /** Records a stage that the service itself has seen. @returns whether there is such a session, and it was new */
  async reach(tx: Tx, organizationId: number, id: string, stage: Stage): Promise<boolean> {
    const change = await this.sessions.openAny(tx, organizationId, id);
    if (!change?.reach(stage)) return false;
    await this.sessions.save(tx, change);
    await this.events.add(tx, change, { stages: [{ stage, occurredAt: change.at }] });
    return true;
  }
}
