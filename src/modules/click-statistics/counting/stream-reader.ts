import type { Redis } from 'ioredis';
import { CONSUMER_GROUP } from '../../clicks/journal/click-stream';

const BLOCK_MS = 500;
/** A batch that its consumer has not acknowledged for so long is taken over: that consumer has stopped, or is slow. */
const ABANDONED_MS = 1_000;
/** What is being counted, or waits for it here, is not abandoned: Redis is told so as often. */
const RENEW_MS = ABANDONED_MS / 4;
/** Longer than a batch may take: a process that gets nothing counted, as it alone has lost Postgres, leaves it to others. */
const STUCK_MS = 10_000;
/** Entries hold all clicks of a turn; so many of them are read at once. */
export const PAGE = 250;

export type Entry = [id: string, fields: string[]];

/** Reads one stream as a consumer of the group. */
export class StreamReader {
  private lookedAt = 0;
  /** Ids of what has been read and not acknowledged. */
  private readonly held = new Set<string>();
  /** When something was counted last, or there was nothing to count. */
  private movedAt = 0;
  private readonly renewing: NodeJS.Timeout;

  constructor(
    /** A connection of its own, as a read that waits holds up the rest. */
    private readonly redis: Redis,
    private readonly commands: Redis,
    private readonly stream: string,
    private readonly consumer: string,
    private readonly stuckMs = STUCK_MS,
  ) {
    this.renewing = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  /** Whether Redis can be asked at the moment. */
  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  /** Entries that a stopped consumer has left, else new ones; waits a while for those. @throws when Redis is away */
  async read(): Promise<Entry[]> {
    try {
      if (performance.now() - this.lookedAt > ABANDONED_MS / 2) {
        const abandoned = await this.takeOver();
        // After a full page there is more.
        if (abandoned.length < PAGE) this.lookedAt = performance.now();
        const left = abandoned.filter(([id]) => !this.held.has(id));
        if (left.length > 0) return this.hold(left);
      }
      return this.hold(await this.readNew());
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOGROUP'))) throw error;
      // From the first entry: the stream is older than the group where Redis lost or never had it.
      await this.redis.xgroup('CREATE', this.stream, CONSUMER_GROUP, '0', 'MKSTREAM').catch(() => undefined);
      return [];
    }
  }

  /** Takes entries out of the stream once they are counted. */
  async acknowledge(entries: readonly Entry[]): Promise<void> {
    const ids = entries.map(([id]) => id);
    for (const id of ids) this.held.delete(id);
    this.movedAt = performance.now();
    await this.commands
      .multi()
      .xack(this.stream, CONSUMER_GROUP, ...ids)
      .xdel(this.stream, ...ids)
      .exec();
  }

  close(): void {
    clearInterval(this.renewing);
    this.redis.disconnect();
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0 || performance.now() - this.movedAt > this.stuckMs) return;
    const args = [CONSUMER_GROUP, this.consumer, 0, ...this.held, 'JUSTID'] as const;
    await this.commands.xclaim(this.stream, ...args).catch(() => undefined);
  }

  private hold(entries: Entry[]): Entry[] {
    if (this.held.size === 0) this.movedAt = performance.now();
    for (const [id] of entries) this.held.add(id);
    return entries;
  }

  private async readNew(): Promise<Entry[]> {
    const group = ['GROUP', CONSUMER_GROUP, this.consumer] as const;
    const options = ['COUNT', PAGE, 'BLOCK', BLOCK_MS, 'STREAMS', this.stream, '>'] as const;
    const reply = await this.redis.xreadgroup(...group, ...options);
    return (reply as [string, Entry[]][] | null)?.[0]?.[1] ?? [];
  }

  private async takeOver(): Promise<Entry[]> {
    const group = [CONSUMER_GROUP, this.consumer, ABANDONED_MS] as const;
    const reply = await this.redis.xautoclaim(this.stream, ...group, '0', 'COUNT', PAGE);
    const [, entries] = reply as [string, (Entry | null)[]];
    return entries.filter((entry) => entry !== null);
  }
}
