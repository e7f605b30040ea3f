import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RedisStore } from '../../../infrastructure/redis/redis';
import type { ClickBatch, Filtered } from './click-stream';
import { StreamShard } from './stream-shard';

/** How often a stream with recent lines is checked; a check must fit into the time that lines are kept. */
const CHECK_EVERY_MS = 500;

/** The click streams, with one XADD for all clicks of a batch. */
@Injectable()
export class RedisJournal implements OnApplicationShutdown {
  private readonly shards: StreamShard[] = [];
  private readonly checking: NodeJS.Timeout;

  constructor(private readonly store: RedisStore) {
    store.onLost((holds) => this.on(holds).forEach((shard) => shard.hold()));
    store.onBack((holds) => this.on(holds).forEach((shard) => void shard.check()));
    this.checking = setInterval(() => this.checkWatched(), CHECK_EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.checking);
  }

  /** @returns null if Redis is unavailable or fails, in which case the caller falls back to Postgres */
  append(batch: ClickBatch): Promise<Filtered | null> {
    return (this.shards[batch.shard] ??= new StreamShard(this.store, batch.shard)).append(batch);
  }

  private on(holds: (key: string) => boolean): StreamShard[] {
    return this.shards.filter(({ stream }) => holds(stream));
  }

  private checkWatched(): void {
    this.shards.filter((shard) => shard.watched).forEach((shard) => void shard.check());
  }
}
