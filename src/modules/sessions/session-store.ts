import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import type { Tx } from '../../infrastructure/database/tx';
import { Countries, UNKNOWN } from '../clicks/visitor-facts';
import type { SessionPlatform } from './funnel';
import { LocalDays } from './rollups/local-days';
import { SessionRollups } from './rollups/session-rollups';
import { newSession, type Session } from './session';
import { SessionChange } from './session-change';
import { SessionsRepository } from './sessions.repository';

/** The app that asks; sessions of others are not there. */
export interface OwnApp {
  organizationId: number;
  appId: number;
  /** iOS, Android or Web. */
  appPlatform: string;
  /** Address that the call came from. */
  ip?: string;
  /** Address of the person, where the app's server has told it. */
  userIp?: string | null;
}

const PLATFORMS: Partial<Record<string, SessionPlatform>> = { iOS: 'IOS', Android: 'ANDROID' };

/** Sessions of apps: found, begun, locked while they change, and kept with their figures. */
@Injectable()
export class SessionStore {
  /** Many at once for one session wait here, not each with a connection for the row. */
  private readonly turns = new KeyedMutex();

  constructor(
    private readonly rows: SessionsRepository,
    private readonly days: LocalDays,
    private readonly rollups: SessionRollups,
    private readonly countries: Countries,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  async get({ organizationId, appId }: OwnApp, id: string): Promise<Session> {
    return ownBy(appId, await this.rows.find(organizationId, id));
  }

  /** As `get`; null where there is none. */
  async find({ organizationId, appId }: OwnApp, id: string): Promise<Session | null> {
    const session = await this.rows.find(organizationId, id);
    return session?.appId === appId ? session : null;
  }

  /** The session of a click, for the app that has its token: its own, or one that is no app's yet. */
  async findOfClick({ organizationId, appId }: OwnApp, id: string): Promise<Session | null> {
    const session = await this.rows.find(organizationId, id);
    return session && (session.appId ?? appId) === appId ? session : null;
  }

  /** Makes the session of a click the app's, where it is no app's yet. */
  async adopt(tx: Tx, { organizationId, appId }: OwnApp, id: string): Promise<void> {
    const session = await this.rows.lock(tx, organizationId, id);
    if (session?.appId !== null) return;
    const change = await this.change(tx, session);
    change.set({ appId });
    await this.save(tx, change);
  }

  /** One transaction about a session. */
  transact<T>({ organizationId }: OwnApp, id: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.turns.run(`${organizationId}/${id}`, () => this.database.write(work));
  }

  /** Locks a session, to change it. @throws NotFound */
  async open(tx: Tx, { organizationId, appId }: OwnApp, id: string): Promise<SessionChange> {
    const session = ownBy(appId, await this.rows.lock(tx, organizationId, id));
    return this.change(tx, session);
  }

  /** Locks a session of whichever app, to change it; null when there is none. */
  async openAny(tx: Tx, organizationId: number, id: string): Promise<SessionChange | null> {
    const session = await this.rows.lock(tx, organizationId, id);
    return session && this.change(tx, session);
  }

  /**
   * Locks a session, to change it; where there is none, it begins now.
   * @param platform null: that of the app
   * @throws NotFound when it is that of another app
   */
  async openOrBegin(
    tx: Tx,
    app: OwnApp,
    id: string,
    platform: SessionPlatform | null,
  ): Promise<SessionChange> {
    const { organizationId, appId } = app;
    for (;;) {
      const known = await this.rows.lock(tx, organizationId, id);
      if (known) {
        const change = await this.change(tx, ownBy(appId, known));
        if (app.userIp) change.learn({ country: this.countryOf(app.userIp) });
        return change;
      }
      const session = await this.newSession(tx, app, id, platform ?? PLATFORMS[app.appPlatform] ?? 'WEB');
      const added = await this.rows.insert(tx, [session]);
      if (added === 1) return new SessionChange(session, true, session.startedAt);
      // Another has just made it: it is there now.
    }
  }

  /** Keeps what has changed, and adds it to the figures. Call it once. */
  async save(tx: Tx, change: SessionChange): Promise<void> {
    const { isNew, isChanged, sums, stored } = change;
    if (isNew || isChanged) {
      change.touch();
      sums.addSession(isNew ? null : stored, change.session);
    }
    await this.rollups.write(tx, sums, isChanged ? [change.session] : []);
  }

  /** Takes a session back that the transaction has made, before it is in any figure. */
  async forget(tx: Tx, change: SessionChange): Promise<void> {
    if (change.isNew) await this.rows.remove(tx, change.stored);
  }

  /** To change a session that the transaction has locked. */
  async change(tx: Tx, session: Session): Promise<SessionChange> {
    const change = new SessionChange(session, false, this.clock.date());
    if (session.day === null) {
      const { organizationId, startedAt } = session;
      change.set({ day: await this.days.of(tx, { organizationId, at: startedAt.getTime() }) });
    }
    return change;
  }

  private countryOf(ip: string): string | null {
    const country = this.countries.of(ip);
    return country === UNKNOWN ? null : country;
  }

  /** Sites are spoken for by a server of their own: its address says nothing of the visitor, unless it says so. */
  private async newSession(
    tx: Tx,
    { organizationId, appId, ip, userIp }: OwnApp,
    id: string,
    platform: SessionPlatform,
  ): Promise<Session> {
    const startedAt = this.clock.date();
    const day = await this.days.of(tx, { organizationId, at: startedAt.getTime() });
    const address = userIp ?? (platform === 'WEB' ? undefined : ip);
    return newSession({
      ...{ organizationId, id, appId, platform, startedAt, day },
      country: address === undefined ? null : this.countryOf(address),
    });
  }
}

function ownBy(appId: number, session: Session | null): Session {
  // Its message must not change: docs/web-sdk.md#answers-that-the-sdk-relies-on.
  if (session?.appId !== appId) throw new NotFound('Session');
  return session;
}
