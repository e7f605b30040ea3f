import type { Store } from './store';
import type { DroppedCall } from './types';

/** Entries per key of storage: few enough to write at once, enough to read a long queue quickly. */
const PER_KEY = 25;
/** Characters of an entry, and of all. Android's AsyncStorage holds 6 MB, and 2 MB per key. */
const MAX_ENTRY = 60_000;
const MAX_TOTAL = 2_000_000;
const PREFIX = 'q.';

export const EVENT = '/cross-platform/session/event';

/** A call that has not been delivered. Repeats of it count once. */
export interface Entry {
  /** Position; entries are sent in its order. */
  n: number;
  /** Path below `/api/v1`; `:id` stands for the session's id. */
  path: string;
  body: Record<string, unknown>;
  /** The local id of its session. */
  session: string;
  identitySignature?: string | undefined;
}

type Report = (call: DroppedCall) => void;

/** The calls that wait, in order, in memory and in storage. */
export class Queue {
  private readonly entries: Entry[] = [];
  private readonly sizes = new Map<number, number>();
  private total = 0;
  private next = 0;
  /** The entry that is being sent, which must not be dropped. */
  sending: Entry | null = null;

  constructor(
    private readonly store: Store,
    private readonly most: number,
    private readonly report: Report,
  ) {}

  /** Takes over what an earlier start has stored. */
  load(): void {
    const stored = this.store.keys(PREFIX).flatMap((key) => {
      const entries = this.store.get(key);
      return Array.isArray(entries) ? (entries as Entry[]) : [];
    });
    for (const entry of stored.sort((a, b) => a.n - b.n)) this.take(entry);
    this.next = (this.entries.at(-1)?.n ?? -1) + 1;
  }

  get first(): Entry | undefined {
    return this.entries[0];
  }

  some(test: (entry: Entry) => boolean): boolean {
    return this.entries.some(test);
  }

  /** Resolves once the call is stored. */
  async add(call: Omit<Entry, 'n'>): Promise<Entry | null> {
    const entry: Entry = { n: this.next, ...call };
    const size = JSON.stringify(entry).length;
    if (size > MAX_ENTRY) {
      console.error('[Waypost] Too large to send:', call.path);
      this.report({ reason: 'TOO_LARGE', message: null, path: call.path, body: call.body });
      return null;
    }
    while (this.entries.length >= this.most || this.total + size > MAX_TOTAL) {
      if (!this.dropOldest()) break;
    }
    this.next++;
    this.take(entry);
    await this.store.set(keyOf(entry), this.stored(entry));
    return entry;
  }

  /** Stores what has changed in an entry. */
  keep(entry: Entry): Promise<void> {
    return this.store.set(keyOf(entry), this.stored(entry));
  }

  remove(entry: Entry): void {
    const at = this.entries.indexOf(entry);
    if (at < 0) return;
    this.entries.splice(at, 1);
    this.total -= this.sizes.get(entry.n) ?? 0;
    this.sizes.delete(entry.n);
    const rest = this.stored(entry);
    const key = keyOf(entry);
    void (rest.length === 0 ? this.store.remove(key) : this.store.set(key, rest));
  }

  private take(entry: Entry): void {
    const size = JSON.stringify(entry).length;
    this.entries.push(entry);
    this.sizes.set(entry.n, size);
    this.total += size;
  }

  /** The entries that share the key of this one. */
  private stored(entry: Entry): Entry[] {
    const key = keyOf(entry);
    return this.entries.filter((other) => keyOf(other) === key);
  }

  /** Events go first, conversions last. */
  private dropOldest(): boolean {
    const waiting = this.entries.filter((entry) => entry !== this.sending);
    const oldest = waiting.find(({ path }) => path === EVENT) ?? waiting[0];
    if (!oldest) return false;
    this.remove(oldest);
    console.error('[Waypost] Too many calls wait: the oldest is dropped');
    this.report({ reason: 'QUEUE_FULL', message: null, path: oldest.path, body: oldest.body });
    return true;
  }
}

function keyOf({ n }: Entry): string {
  return PREFIX + String(Math.floor(n / PER_KEY)).padStart(12, '0');
}
