import { Injectable } from '@nestjs/common';
import type { AppKeyKind } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import { KeyedMutex } from '../../common/keyed-mutex';
import { Clock } from '../../common/time/clock';
import { Database, type Tx } from '../../infrastructure/database/database';
import { Countries, UNKNOWN } from '../clicks/visitor-facts';
import type { SessionPlatform } from './funnel';
import { LocalDays } from './rollups/local-days';
import { SessionRollups } from './rollups/session-rollups';
import { newSession, type Session } from './session';
import { SessionChange } from './session-change';
import { SessionsRepository } from './sessions.repository';

/** The calling app, for which sessions of other apps do not exist. */
export interface OwnApp {
  organizationId: number;
  appId: number;
  key: AppKeyKind;
  /** `iOS`, `Android` or `Web`. */
  appPlatform: string;
  ip?: string;
  /** IP address of the end user, if the app's server sends it. */
  userIp?: string | null;
}

const PLATFORMS: Partial<Record<string, SessionPlatform>> = { iOS: 'IOS', Android: 'ANDROID' };

/** Finds, creates, locks and saves sessions, the latter with their rollups. */
@Injectable()
export class SessionStore {
  /** Serializes calls for a session within the process, so that none holds a connection while it waits for the row. */
  private readonly mutex = new KeyedMutex();

  constructor(
    private readonly rows: SessionsRepository,
    private readonly days: LocalDays,
    private readonly rollups: SessionRollups,
    private readonly countries: Countries,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Reads a session, with the publishable key one that it began. @throws NotFound */
  async get(app: OwnApp, id: string): Promise<Session> {
    return readableBy(app, ownBy(app.appId, await this.rows.find(app.organizationId, id)));
  }

  /** Like `get`, but returns null if there is none. */
  async find({ organizationId, appId }: OwnApp, id: string): Promise<Session | null> {
    const session = await this.rows.find(organizationId, id);
    return session?.appId === appId ? session : null;
  }

  /** Finds the session of a click if it belongs to the app or to no app yet. */
  async findOfClick({ organizationId, appId }: OwnApp, id: string): Promise<Session | null> {
    const session = await this.rows.find(organizationId, id);
    return session && (session.appId ?? appId) === appId ? session : null;
  }

  /** Continues the session of a click in the app, unless it belongs to another one. */
  async adopt(tx: Tx, app: OwnApp, id: string, member: string | null): Promise<void> {
    const session = await this.rows.lock(tx, app.organizationId, id);
    if (!session || (session.appId ?? app.appId) !== app.appId) return;
    const change = this.change(session);
    change.continueIn(app, member);
    if (change.isChanged) await this.save(tx, change);
  }

  /** Runs a transaction on a session, one at a time per session in this process. */
  transact<T>({ organizationId }: OwnApp, id: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.mutex.run(`${organizationId}/${id}`, () => this.database.write(work));
  }

  /** Locks a session for changes. @throws NotFound */
  async open(tx: Tx, { organizationId, appId }: OwnApp, id: string): Promise<SessionChange> {
    const session = ownBy(appId, await this.rows.lock(tx, organizationId, id));
    return this.change(session);
  }

  /** Locks a session of any app for changes; null if there is none. */
  async openAny(tx: Tx, organizationId: number, id: string): Promise<SessionChange | null> {
    const session = await this.rows.lock(tx, organizationId, id);
    return session && this.change(session);
  }

  /**
   * Locks a session for changes, creating it if there is none.
   * @param platform null for the platform of the app
   * @throws NotFound if it belongs to another app
   */
  async openOrBegin(
    tx: Tx,
    app: OwnApp,
    id: string,
    platform: SessionPlatform | null,
  ): Promise<SessionChange> {
    const { organizationId, appId } = app;
    for (;;) {
      const existing = await this.rows.lock(tx, organizationId, id);
      if (existing) {
        const change = this.change(ownBy(appId, existing));
        if (app.userIp) change.learn({ country: this.countryOf(app.userIp) });
        return change;
      }
      const session = await this.newSession(tx, app, id, platform ?? PLATFORMS[app.appPlatform] ?? 'WEB');
      const added = await this.rows.insert(tx, [session]);
      if (added === 1) return new SessionChange(session, true, session.startedAt);
      // Another transaction has just inserted the session, so the next attempt finds it.
    }
  }

  /** Saves the changes with their rollups. Must be called once per change. */
  async save(tx: Tx, change: SessionChange): Promise<void> {
    const { isNew, isChanged, sums, stored } = change;
    if (isNew || isChanged) {
      change.touch();
      sums.addSession(isNew ? null : stored, change.session);
    }
    await this.rollups.write(tx, sums, isChanged ? [change.session] : []);
  }

  /** Deletes a session that the transaction has inserted and that no rollup includes yet. */
  async forget(tx: Tx, change: SessionChange): Promise<void> {
    if (change.isNew) await this.rows.remove(tx, change.stored);
  }

  /** Starts a change of a session whose row the transaction has locked. */
  change(session: Session): SessionChange {
    return new SessionChange(session, false, this.clock.date());
  }

  private countryOf(ip: string): string | null {
    const country = this.countries.of(ip);
    return country === UNKNOWN ? null : country;
  }

  /** For WEB, the caller may be the site's server, so only `userIp` determines the country. */
  private async newSession(
    tx: Tx,
    { organizationId, appId, key, ip, userIp }: OwnApp,
    id: string,
    platform: SessionPlatform,
  ): Promise<Session> {
    const startedAt = this.clock.date();
    const day = await this.days.of(tx, organizationId, startedAt);
    const address = userIp ?? (platform === 'WEB' ? undefined : ip);
    return newSession({
      ...{ organizationId, id, appId, platform, startedAt, day },
      publishable: key === 'publishable',
      country: address === undefined ? null : this.countryOf(address),
    });
  }
}

/** @throws NotFound for the publishable key, unless it began the session */
export function readableBy({ key }: Pick<OwnApp, 'key'>, session: Session): Session {
  if (key === 'publishable' && !session.publishable) throw new NotFound('Session');
  return session;
}

function ownBy(appId: number, session: Session | null): Session {
  // The Web SDK relies on this message: docs/web-sdk.md#answers-that-the-sdk-relies-on.
  if (session?.appId !== appId) throw new NotFound('Session');
  return session;
}
