import type { Store } from './store';

const KEY = 'session';
const IDS = 'ids';
/** Number of remembered ids; older sessions have no calls left. */
const MOST_IDS = 50;

interface StoredSession {
  id: string;
  /** Last activity, in milliseconds since the epoch. */
  at: number;
  /** Time of the last call. */
  last: number;
}

/** The session of this app, which lasts until nothing has happened for a while. */
export class Sessions {
  constructor(
    private readonly store: Store,
    private readonly timeoutMs: number,
  ) {}

  /** The local id of the session; null if there is none or it has timed out. */
  live(now: number): string | null {
    const stored = this.stored;
    // The absolute value also ends sessions after the clock has been set back.
    return stored && Math.abs(now - stored.at) <= this.timeoutMs ? stored.id : null;
  }

  begin(id: string, now: number): Promise<void> {
    return this.store.set(KEY, { id, at: now, last: 0 } satisfies StoredSession);
  }

  /** Records activity in the live session. @returns the time of a call, later than that of every earlier one */
  touch(now: number, at: number): number {
    const stored = this.stored;
    if (!stored) return at;
    const last = Math.max(at, stored.last + 1);
    void this.store.set(KEY, { id: stored.id, at: now, last } satisfies StoredSession);
    return last;
  }

  forget(): Promise<void> {
    return this.store.remove(KEY);
  }

  /** The id by which Waypost knows the session: that of the click which led to it, or else the local one. */
  idOf(local: string): string {
    return this.ids.find(([known]) => known === local)?.[1] ?? local;
  }

  learn(local: string, id: string): Promise<void> {
    const others = this.ids.filter(([known]) => known !== local);
    return this.store.set(IDS, [...others, [local, id]].slice(-MOST_IDS));
  }

  private get ids(): [local: string, id: string][] {
    return (this.store.get(IDS) ?? []) as [string, string][];
  }

  private get stored(): StoredSession | null {
    return this.store.get(KEY) as StoredSession | null;
  }
}
