import { type Api, Refused } from './api';
import { isPrepared } from './foreground';
import type { OneTab } from './one-tab';
import type { Sessions } from './sessions';
import type { Store } from './store';
import type { Session } from './types';

/** Capacity of the queue. When it is full, the oldest events are dropped first and conversions last. */
const MOST = 500;
const MAX_BYTES = 60_000;
/** Number of remembered marks, which keep events of the same type and millisecond distinct. */
const MARKS = 100;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 300_000;

const PREFIX = 'q:';
const EVENT = '/session/event';

/** A queued call; idempotent, so that retries count once. */
export interface Entry {
  /** Path below `/api/v1/cross-platform`; `:id` stands for the session's id. */
  path: string;
  body: Record<string, unknown>;
  /** Session of the call; null for the next one to start. */
  sessionId: string | null;
  /** Whether the response updates the session. */
  isTold?: true;
  /** Whether the call has been moved to another session, because the server had forgotten its own. */
  isMoved?: true;
}

interface QueueOptions {
  api: Api;
  store: Store;
  sessions: Sessions;
  oneTab: OneTab;
  /** Returns the session, starting one if needed; holds the tab lock. */
  connect: () => Promise<Session>;
}

/** Calls that have not been delivered. Each has its own storage key, so that tabs never overwrite each other. */
export class Queue {
  private running: Promise<void> | null = null;
  private isAsked = false;
  private retryMs = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = 0;

  constructor(private readonly options: QueueOptions) {}

  /** Stores a call and sends it as soon as possible. */
  add(entry: Entry): void {
    const { store } = this.options;
    if (new Blob([JSON.stringify(entry)]).size > MAX_BYTES) {
      console.error('[Waypost] Too large to send', entry.path);
      return;
    }
    this.makeRoom();
    // Increasing, because keys are sent in sorted order.
    this.last = Math.max(Date.now(), this.last + 1);
    const position = `${String(this.last).padStart(15, '0')}-${Math.random().toString(36).slice(2)}`;
    store.set(PREFIX + position, entry);
    void this.flush();
  }

  /** Tries to send all queued calls, and resolves after the attempt. */
  flush(): Promise<void> {
    this.isAsked = true;
    this.running ??= this.drain().finally(() => {
      this.running = null;
      // A call has been added since the last pass.
      if (this.isAsked) void this.flush();
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    const { api, oneTab, store } = this.options;
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
      // The whole queue backs off, with jitter so that tabs do not retry at the same time.
      this.isAsked = false;
      const wait = Math.max(this.retryMs * (0.75 + Math.random() / 2), api.pauseMs);
      this.timer = setTimeout(() => void this.flush(), wait);
      this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
    }
  }

  /** @throws if the call must be retried later */
  private async send(key: string): Promise<void> {
    const { store, sessions, api, connect } = this.options;
    const entry = store.get(key) as Entry | null;
    if (!entry) {
      // Another tab has sent the call, or other code has overwritten the key.
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
    // A null goal type means the link's; for an earlier session, the server resolves it.
    const goalType = entry.body.goalType === null &&
      session.sessionId === sessionId && { goalType: session.goalType };
    try {
      const body = { sessionId, ...entry.body, ...goalType };
      const answer = await api.post<Partial<Session>>(entry.path.replace(':id', sessionId), body);
      if (entry.isTold) sessions.learn(sessionId, answer);
    } catch (error) {
      if (!(error instanceof Refused) || !isFinal(error, entry)) throw error;
      if (error.isUnknownSession && !entry.isMoved) {
        // The session has passed the server's retention.
        const { live } = sessions;
        if (live?.sessionId === sessionId) await sessions.replace(live);
        store.set(key, { ...entry, sessionId: null, isMoved: true } satisfies Entry);
        return;
      }
      console.error('[Waypost] Refused', entry.path, error.message);
    }
    store.remove(key);
  }

  /**
   * The server de-duplicates events by their time, and two tabs may use the same one: the second event is moved by a
   * millisecond, and keeps the new time for retries.
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
    console.error(`[Waypost] More than ${String(MOST)} calls are queued: the oldest is dropped`);
  }
}

/** A call for a member who has logged out is dropped, so that it does not block the queue. */
function isFinal(error: Refused, { body }: Entry): boolean {
  return error.isFinal || (error.isNotMember && 'externalUserId' in body);
}
