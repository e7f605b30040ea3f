import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { Config } from '../../../config/config';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { ClickIngest } from './click-ingest';
import { CountingTransactions } from './counting-transactions';
import { GroupCounting } from './group-counting';
import type { EnrichedClick } from '../enriched-click';
import { decodeClick } from '../../clicks/click';
import { CONSUMER_GROUP, streamKey } from '../../clicks/journal/click-stream';

const BLOCK_MS = 500;
/** Idle time after which another consumer takes an entry over, because its consumer has stopped. */
const ABANDONED_MS = 1_000;
/** Interval at which a consumer renews its entries, so that no other takes them over. */
const RENEW_MS = ABANDONED_MS / 4;
/** A process without progress for this long stops renewing, because others may still reach Postgres. */
const STUCK_MS = 10_000;
/** Entries per read; each has the clicks of one turn of the event loop. */
const PAGE = 250;

export type Entry = [id: string, fields: string[]];

/** Reads one stream as a consumer of the group, and renews the entries that it holds. */
export class StreamReader {
  private checkedAt = 0;
  /** Ids of entries that have been read but not acknowledged. */
  private readonly held = new Set<string>();
  /** Time of the last progress: an acknowledgement, or the first read after all entries were acknowledged. */
  private progressAt = 0;
  private readonly renewing: NodeJS.Timeout;

  constructor(
    /** A dedicated connection, because a blocking read delays other commands. */
    private readonly redis: Redis,
    private readonly store: Pick<RedisStore, 'readyFor'>,
    private readonly stream: string,
    private readonly consumer: string,
    private readonly stuckMs = STUCK_MS,
  ) {
    this.renewing = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  /** Reads abandoned entries, or else new ones, waiting up to BLOCK_MS. @throws if Redis is down */
  async read(): Promise<Entry[]> {
    try {
      if (performance.now() - this.checkedAt > ABANDONED_MS / 2) {
        const abandoned = await this.takeOver();
        // After a full page there may be more, so the next read checks again.
        if (abandoned.length < PAGE) this.checkedAt = performance.now();
        const left = abandoned.filter(([id]) => !this.held.has(id));
        if (left.length > 0) return this.hold(left);
      }
      return this.hold(await this.readNew());
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOGROUP'))) throw error;
      // From the first entry, because entries may be older than the group, such as after Redis lost it.
      await this.redis.xgroup('CREATE', this.stream, CONSUMER_GROUP, '0', 'MKSTREAM').catch(() => undefined);
      return [];
    }
  }

  /** Acknowledges counted entries and deletes them from the stream. */
  async acknowledge(entries: readonly Entry[]): Promise<void> {
    const ids = entries.map(([id]) => id);
    for (const id of ids) this.held.delete(id);
    this.progressAt = performance.now();
    await this.store
      .readyFor(this.stream)
      ?.multi()
      .xack(this.stream, CONSUMER_GROUP, ...ids)
      .xdel(this.stream, ...ids)
      .exec();
  }

  close(): void {
    clearInterval(this.renewing);
    this.redis.disconnect();
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0 || performance.now() - this.progressAt > this.stuckMs) return;
    const args = [CONSUMER_GROUP, this.consumer, 0, ...this.held, 'JUSTID'] as const;
    await this.store
      .readyFor(this.stream)
      ?.xclaim(this.stream, ...args)
      .catch(() => undefined);
  }

  private hold(entries: Entry[]): Entry[] {
    if (this.held.size === 0) this.progressAt = performance.now();
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

const RETRY_MS = 250;
const NOT_CONNECTED_MS = 50;

interface PreparedEntry {
  entry: Entry;
  clicks: EnrichedClick[];
}

/** Counts the clicks of the Redis streams. Delivery is at-least-once, and counting is idempotent. */
@Injectable()
export class StreamConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(StreamConsumer.name);
  private readonly readers: StreamReader[] = [];
  private loops: Promise<void>[] = [];
  private stopping = false;

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly counting: GroupCounting,
    private readonly ingest: ClickIngest,
    private readonly store: RedisStore,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.store.configured) return;
    const name = randomUUID();
    for (let shard = 0; shard < this.config.clicks.streamShards; shard++) {
      const stream = streamKey(this.store, shard);
      const reader = new StreamReader(this.store.connectionTo(stream), this.store, stream, name);
      this.readers.push(reader);
      this.loops.push(this.run(reader));
    }
  }

  /** Waits for the current batches. Other consumers take over entries that have been read but not counted. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.loops);
    for (const reader of this.readers) reader.close();
  }

  /** A method, because TypeScript would narrow the field to false inside the loop. */
  private stopped(): boolean {
    return this.stopping;
  }

  /** Maximum number of clicks that a shard contributes to a batch. */
  private get share(): number {
    return Math.ceil(this.transactions.clicks / this.config.clicks.streamShards);
  }

  /** Pipelined: the next batch is read and enriched while Postgres writes the current one. */
  private async run(reader: StreamReader): Promise<void> {
    let next = this.prepare(reader);
    while (!this.stopped()) {
      let ready = await next;
      // Only one batch ahead, so that clicks do not accumulate in memory during an outage.
      next = this.prepare(reader);
      while (ready.length > 0 && !this.stopped()) {
        const counted = await this.retry((again) => this.countSome(reader, ready, again));
        ready = ready.slice(counted ?? 0);
      }
    }
    await next;
  }

  /** Reads up to a full batch without waiting for one: larger batches write fewer rollup rows. */
  private async prepare(reader: StreamReader): Promise<PreparedEntry[]> {
    const ready: PreparedEntry[] = [];
    for (let clicks = 0, more = true; more && clicks < this.share && !this.stopped();) {
      const page = (await this.retry(() => this.read(reader))) ?? [];
      const prepared = (await this.retry(() => this.enrich(page))) ?? [];
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
    return entries.map((entry, i) => ({ entry, clicks: prepared.splice(0, decoded[i]?.length) }));
  }

  /** Counts a batch. @param again whether it has failed before @returns the number of entries in it */
  private async countSome(
    reader: StreamReader,
    ready: readonly PreparedEntry[],
    again: boolean,
  ): Promise<number> {
    let clicks: EnrichedClick[] = [];
    let taken = 0;
    while (taken < ready.length && clicks.length < this.share) {
      clicks.push(...(ready[taken++]?.clicks ?? []));
    }
    // A new primary may lack the partitions, salts and numbers of its predecessor.
    if (again) clicks = await this.ingest.prepare(clicks.map(({ click }) => click));
    // If the acknowledgement fails, the entries are delivered again, which changes nothing.
    await this.counting.count(clicks, () =>
      reader.acknowledge(ready.slice(0, taken).map(({ entry }) => entry)),
    );
    return taken;
  }

  /** Retries until success. @returns null if the process stops first */
  private async retry<T>(work: (again: boolean) => Promise<T>): Promise<T | null> {
    for (let failing = false; !this.stopped(); failing = true) {
      try {
        return await work(failing);
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the stream: ${describeError(error).message}`);
        await delay(RETRY_MS);
      }
    }
    return null;
  }
}
