import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { connectRedis, RedisStore } from '../../infrastructure/redis/redis';
import { decodeClick } from './click';
import { ClickIngest } from './click-ingest';
import { streamKey } from './click-stream';
import { CountingTransactions } from './counting-transactions';
import { type Entry, StreamReader } from './stream-reader';

const STORE_AWAY_MS = 250;
const NOT_CONNECTED_MS = 50;

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
    if (!redisUrl) return;
    const name = randomUUID();
    for (let shard = 0; shard < clicks.streamShards; shard++) {
      const reader = new StreamReader(connectRedis(redisUrl), streamKey(this.store, shard), name);
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

  private async run(reader: StreamReader): Promise<void> {
    // Kept until they are counted: reading on while the store is away would only pile them up.
    let entries: Entry[] = [];
    let failing = false;
    while (!this.stopped()) {
      try {
        if (entries.length > 0) entries = await this.countSome(reader, entries);
        else if (reader.connected) entries = await reader.read();
        else await delay(NOT_CONNECTED_MS);
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the stream: ${describeError(error).message}`);
        failing = true;
        await delay(STORE_AWAY_MS);
      }
    }
  }

  /** Counts one batch. @returns what is left of the entries */
  private async countSome(reader: StreamReader, entries: Entry[]): Promise<Entry[]> {
    const lines: string[] = [];
    let taken = 0;
    while (taken < entries.length && lines.length < this.transactions.clicks) {
      lines.push(...(entries[taken++]?.[1][1] ?? '').split('\n'));
    }
    const prepared = await this.ingest.prepare(lines.map(decodeClick));
    await this.transactions.run((tx) => this.ingest.ingest(tx, prepared));
    // Where Redis does not hear of it, the entries come again, and change nothing.
    await reader.acknowledge(entries.slice(0, taken)).catch(() => undefined);
    return entries.slice(taken);
  }
}
