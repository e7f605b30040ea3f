import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { connectRedis, RedisStore } from '../../../infrastructure/redis/redis';
import { ClickIngest, CountingTransactions } from './click-ingest';
import type { EnrichedClick } from './enriched-click';
import { decodeClick } from '../../clicks/click';
import { CONSUMER_GROUP, streamKey } from '../../clicks/journal/click-stream';

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

const STORE_AWAY_MS = 250;
const NOT_CONNECTED_MS = 50;

/** What one process appended at once, and all that is stored of it. */
interface PreparedEntry {
  entry: Entry;
  clicks: EnrichedClick[];
}

/** Counts the clicks of the Redis streams. Acknowledged after the commit; read twice, a click counts once. */
@Injectable()
export class StreamConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(StreamConsumer.name);
  private readonly readers: StreamReader[] = [];
  private loops: Promise<void>[] = [];
  private stopping = false;

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
    private readonly store: RedisStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { redisUrl, clicks } = this.config;
    const { client } = this.store;
    if (!redisUrl || !client) return;
    const name = randomUUID();
    for (let shard = 0; shard < clicks.streamShards; shard++) {
      const reader = new StreamReader(connectRedis(redisUrl), client, streamKey(this.store, shard), name);
      this.readers.push(reader);
      this.loops.push(this.run(reader));
    }
  }

  /** Lets the batches that are being counted finish. What was read and not counted, another consumer takes over. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.loops);
    for (const reader of this.readers) reader.close();
  }

  /** A function, as the compiler takes a field that it saw false in a loop's head to stay so. */
  private stopped(): boolean {
    return this.stopping;
  }

  /** While one batch is being written, which Postgres does, the next is read and made ready here. */
  private async run(reader: StreamReader): Promise<void> {
    let next = this.prepare(reader);
    while (!this.stopped()) {
      let ready = await next;
      // One ahead and no more: reading on while the store is away would only pile them up.
      next = this.prepare(reader);
      while (ready.length > 0 && !this.stopped()) {
        const counted = await this.insist(() => this.countSome(reader, ready));
        ready = ready.slice(counted ?? 0);
      }
    }
    await next;
  }

  /** A batch, as far as there is one: the more clicks are written at once, the fewer rows of figures they need. */
  private async prepare(reader: StreamReader): Promise<PreparedEntry[]> {
    const ready: PreparedEntry[] = [];
    for (let clicks = 0, more = true; more && clicks < this.transactions.clicks && !this.stopped();) {
      const page = (await this.insist(() => this.read(reader))) ?? [];
      const prepared = (await this.insist(() => this.enrich(page))) ?? [];
      ready.push(...prepared);
      clicks += prepared.reduce((sum, entry) => sum + entry.clicks.length, 0);
      more = page.length >= PAGE;
    }
    return ready;
  }

  private async read(reader: StreamReader): Promise<Entry[]> {
    if (reader.connected) return reader.read();
    await delay(NOT_CONNECTED_MS);
    return [];
  }

  private async enrich(entries: readonly Entry[]): Promise<PreparedEntry[]> {
    const decoded = entries.map(([, fields]) => (fields[1] ?? '').split('\n').map(decodeClick));
    const prepared = await this.ingest.prepare(decoded.flat());
    let start = 0;
    return entries.map((entry, i) => {
      const end = start + (decoded[i]?.length ?? 0);
      const clicks = prepared.slice(start, end);
      start = end;
      return { entry, clicks };
    });
  }

  /** Counts one batch. @returns how many of the entries it has taken */
  private async countSome(reader: StreamReader, ready: readonly PreparedEntry[]): Promise<number> {
    const clicks: EnrichedClick[] = [];
    let taken = 0;
    while (taken < ready.length && clicks.length < this.transactions.clicks) {
      clicks.push(...(ready[taken++]?.clicks ?? []));
    }
    await this.transactions.run((tx) => this.ingest.ingest(tx, clicks));
    // Where Redis does not hear of it, the entries come again, and change nothing.
    await reader.acknowledge(ready.slice(0, taken).map(({ entry }) => entry)).catch(() => undefined);
    return taken;
  }

  /** Does something again until it is done. @returns null when the process stops before */
  private async insist<T>(work: () => Promise<T>): Promise<T | null> {
    for (let failing = false; !this.stopped(); failing = true) {
      try {
        return await work();
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the stream: ${describeError(error).message}`);
        await delay(STORE_AWAY_MS);
      }
    }
    return null;
  }
}
