import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { describeError } from '../../../common/logging/logger';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { connectRedis, RedisStore } from '../../../infrastructure/redis/redis';
import { decodeClick } from '../../clicks/click';
import { ClickIngest } from './click-ingest';
import { streamKey } from '../../clicks/journal/click-stream';
import { CountingTransactions } from './counting-transactions';
import type { EnrichedClick } from './enriched-click';
import { type Entry, PAGE, StreamReader } from './stream-reader';

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
