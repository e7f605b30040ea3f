import { type Api, NO_KEY, Refused } from './api';
import { deviceInfo, timeZone } from './device';
import { arrival } from './page-address';
import type { Store } from './store';
import type { Link, Member, Session } from './types';
import { uuid } from './uuid';

const KEY = 'session';
/** Key of the id of a session whose creation has not been confirmed. */
const NEXT = 'next';

interface StoredSession extends Session {
  /** Last activity, in milliseconds since the epoch. */
  at: number;
}

interface NextSession {
  sessionId: string;
  at: number;
}

interface SessionSettings {
  member: Member | null;
  timeoutMs: number;
  appVersion: string | undefined;
}

/** The session that all tabs of the app share until it times out. */
export class Sessions {
  /** The member on this page, in whose name sessions start. */
  member: Member | null;

  constructor(
    private readonly api: Api | null,
    private readonly store: Store,
    private readonly settings: SessionSettings,
  ) {
    this.member = settings.member;
  }

  /** The live session; null if there is none or it has timed out. */
  get live(): Session | null {
    const stored = this.store.get(KEY) as StoredSession | null;
    const idle = stored ? Date.now() - stored.at : 0;
    // The absolute value also ends sessions after the clock has been set back.
    if (!stored || Math.abs(idle) > this.settings.timeoutMs) return null;
    const { at: _at, ...session } = stored;
    return session;
  }

  /** Records activity in the session. */
  touch(): void {
    const session = this.live;
    if (session) this.keep(session);
  }

  forget(): void {
    this.store.remove(KEY);
  }

  /** Updates the live session from a response. */
  learn(sessionId: string, known: Partial<Session>): void {
    const session = this.live;
    if (session?.sessionId === sessionId) this.keep({ ...session, ...only(known) });
  }

  /** Returns the live session, or starts one. Requires the tab lock. */
  async open(link: Link | null): Promise<Session> {
    return this.live ?? this.begin(link, this.member);
  }

  /** Reloads the session from the server, or replaces it if the server has forgotten it. Requires the tab lock. */
  async refresh(): Promise<Session> {
    const session = this.live;
    if (!session) return this.begin(null, this.member);
    try {
      const known = await this.server.get<Session>(`/session/${session.sessionId}`);
      return this.keep({ ...session, ...only(known) });
    } catch (error) {
      if (!(error instanceof Refused) || !error.isUnknownSession) throw error;
      return this.replace(session);
    }
  }

  /**
   * Replaces a session that the server has forgotten with one of the same member. The old one is kept until the server
   * confirms the new one, so that a lost connection does not lose the member. Requires the tab lock.
   */
  replace({ externalUserId }: Session): Promise<Session> {
    return this.begin(null, this.member ?? (externalUserId === null ? null : { externalUserId }));
  }

  private async begin(link: Link | null, member: Member | null): Promise<Session> {
    const plain = {
      sessionId: this.nextId(),
      platform: 'WEB',
      clientTimestamp: new Date().toISOString(),
      clientTimezone: timeZone(),
    };
    const { shortCode: _later, ...named } = link ?? {};
    const visit = {
      ...plain,
      ...arrival(),
      deviceInfo: await deviceInfo(this.settings.appVersion),
    };
    // With a token, the server continues the session of its click.
    const led = { ...(named.token !== undefined && { sessionId: undefined }), ...named };
    const create = (fields: object) => this.server.post<Session>('/session/create', fields);
    const session = await create({ ...visit, ...led, ...member }).catch((error: unknown) => {
      const isNotMember = error instanceof Refused && error.isNotMember;
      if (!isNotMember && !isFinal(error)) throw error;
      // The visit counts even if the member is not logged in or the link no longer exists.
      return create({ ...visit, ...(isNotMember ? led : member) }).catch((again: unknown) => {
        if (!isFinal(again)) throw again;
        return create(plain);
      });
    });
    if (typeof session.sessionId !== 'string') throw new Error('The response has no session');
    this.store.remove(NEXT);
    return this.keep(session);
  }

  /** The same id until it is confirmed, so that a retry after a lost response does not create a second session. */
  private nextId(): string {
    const known = this.store.get(NEXT) as NextSession | null;
    if (known && Math.abs(Date.now() - known.at) <= this.settings.timeoutMs) return known.sessionId;
    const next: NextSession = { sessionId: uuid(), at: Date.now() };
    this.store.set(NEXT, next);
    return next.sessionId;
  }

  private keep(session: Session): Session {
    const { sessionId, externalUserId, urlId, campaignId, goalType } = session;
    const known = { externalUserId, urlId, campaignId, goalType };
    const all: Session = { ...NOTHING_KNOWN, sessionId, ...only(known) };
    this.store.set(KEY, { ...all, at: Date.now() } satisfies StoredSession);
    return all;
  }

  private get server(): Api {
    if (!this.api) throw new Error(NO_KEY);
    return this.api;
  }
}

const NOTHING_KNOWN = { externalUserId: null, urlId: null, campaignId: null, goalType: null };

/** Whether a retry would be refused as well. */
function isFinal(error: unknown): boolean {
  return error instanceof Refused && (error.isFinal || error.isNotMember);
}

/** The fields of a session that a response contains. */
function only({ externalUserId, urlId, campaignId, goalType }: Partial<Session>): Partial<Session> {
  const all = { externalUserId, urlId, campaignId, goalType };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
