import { isPrepared } from './foreground';
import type { OneTab } from './one-tab';
import { type Proxy, Refused } from './proxy';
import type { Sessions } from './sessions';
import type { Store } from './store';
import type { Session } from './types';

/** Entries that wait at most; of more the oldest events go first, conversions last. */
const MOST = 500;
const MAX_BYTES = 60_000;
/** Marks of what was sent lately: two events of one kind in one millisecond are two. */
const MARKS = 100;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 300_000;

const PREFIX = 'q:';
const EVENT = '/session/event';

/** A call that waits, made so that the server counts it once however often it is sent. */
export interface Entry {
  /** Below `/api/v1/cross-platform`; `:id` is the session's. */
  path: string;
  body: Record<string, unknown>;
  /** The session that it belongs to; null: the one that begins next. */
  sessionId: string | null;
  /** Its answer says something of the session. */
  isTold?: true;
  /** The server did not know its session, and it got another. */
  isMoved?: true;
}

interface QueueOptions {
  proxy: Proxy;
  store: Store;
  sessions: Sessions;
  oneTab: OneTab;
  /** The session, begun where there is none; in one tab at a time. */
  connect: () => Promise<Session>;
}

/** What was tracked and has not arrived yet. Each entry has a key of its own, so that tabs never overwrite each other. */
export class Queue {
  private running: Promise<void> | null = null;
  private isAsked = false;
  private retryMs = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  constructor(private readonly options: QueueOptions) {}

  /** Keeps a call, and sends it as soon as that goes. */
  add(entry: Entry): void {
    const { store } = this.options;
    if (new Blob([JSON.stringify(entry)]).size > MAX_BYTES) {
      console.error('[Waypost] Too large to be sent', entry.path);
      return;
    }
    this.makeRoom();
    // The order of keys is that of calls.
    this.last = Math.max(Date.now(), this.last + 1);
    const place = `${String(this.last).padStart(15, '0')}-${Math.random().toString(36).slice(2)}`;
    store.set(PREFIX + place, entry);
    void this.flush();
  }

  /** Sends what waits. Resolves when that has been tried. */
  flush(): Promise<void> {
    this.isAsked = true;
    this.running ??= this.drain().finally(() => {
      this.running = null;
      // Something came in at the very end.
      if (this.isAsked) void this.flush();
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    const { oneTab, store } = this.options;
    this.isAsked = false;
    if (isPrepared() || store.keys(PREFIX).length === 0) return;
    clearTimeout(this.timer);
    try {
      await oneTab.run(async () => {
        for (let keys = store.keys(PREFIX); keys.length > 0; keys = store.keys(PREFIX)) {
          for (const key of keys) await this.send(key);
        }
      });
      this.retryMs = FIRST_RETRY_MS;
    } catch {
      // All of it waits, whoever asked meanwhile; tabs take their turns at different moments.
      this.isAsked = false;
      this.timer = setTimeout(() => void this.flush(), this.retryMs * (0.75 + Math.random() / 2));
      this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
    }
  }

  /** @throws when it has to wait */
  private async send(key: string): Promise<void> {
    const { store, sessions, proxy, connect } = this.options;
    const entry = store.get(key) as Entry | null;
    if (!entry) {
      // Another tab has sent it, or something else has written there.
      store.remove(key);
      return;
    }
    const session = await connect();
    if (entry.sessionId === null) {
      entry.sessionId = session.sessionId;
      store.set(key, entry);
    }
    const { sessionId } = entry;
    this.mark(key, entry);
    // Without one, that of the link; of an earlier session the server knows it.
    const goalType = entry.body.goalType === null &&
      session.sessionId === sessionId && { goalType: session.goalType };
    try {
      const body = { sessionId, ...entry.body, ...goalType };
      const answer = await proxy.post<Partial<Session>>(entry.path.replace(':id', sessionId), body);
      if (entry.isTold) sessions.learn(sessionId, answer);
    } catch (error) {
      if (!(error instanceof Refused) || !isFinal(error, entry)) throw error;
      if (error.isUnknownSession && !entry.isMoved) {
        // The server has forgotten the session, as it does in time.
        const { live } = sessions;
        if (live?.sessionId === sessionId) await sessions.replace(live, null);
        store.set(key, { ...entry, sessionId: null, isMoved: true } satisfies Entry);
        return;
      }
      console.error('[Waypost] Refused', entry.path, error.message);
    }
    store.remove(key);
  }

  /**
   * The server tells repeated events by their time. Tabs know nothing of each other when they take the time: where two
   * have taken the same, the second moves by a millisecond, and keeps that for its own repeats.
   */
  private mark(key: string, entry: Entry): void {
    if (entry.path !== EVENT) return;
    const { store } = this.options;
    const marks = (store.get('sent') as [mark: string, key: string][] | null) ?? [];
    const markOf = () =>
      [entry.sessionId, entry.body.eventType, entry.body.clientTimestamp].map(String).join(' ');
    while (marks.some(([mark, other]) => mark === markOf() && other !== key)) {
      entry.body.clientTimestamp = new Date(Date.parse(String(entry.body.clientTimestamp)) + 1).toISOString();
      store.set(key, entry);
    }
    if (!marks.some(([, other]) => other === key))
      store.set('sent', [...marks, [markOf(), key]].slice(-MARKS));
  }

  private makeRoom(): void {
    const { store } = this.options;
    const keys = store.keys(PREFIX);
    if (keys.length < MOST) return;
    const oldest = keys.find((key) => (store.get(key) as Entry | null)?.path === EVENT) ?? keys[0] ?? '';
    store.remove(oldest);
    console.error(`[Waypost] More than ${String(MOST)} calls wait: the oldest is dropped`);
  }
}

/** A member whom the proxy does not let this page speak for, as somebody has logged out, must not hold up the rest. */
function isFinal(error: Refused, { body }: Entry): boolean {
  return error.isFinal || (error.isNotMember && 'externalUserId' in body);
}
