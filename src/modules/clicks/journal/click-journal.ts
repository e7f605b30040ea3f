import { Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import { Config } from '../../../config/config';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import { type Click, encodeClick } from '../click';
import { ClickMetrics, type Store } from '../observation/click-metrics';
import { batchesOf, type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { ClickSpool } from './click-spool';
import { PostgresJournal } from './postgres-journal';
import { RedisJournal } from './redis-journal';

/** How long a redirect waits for a store that does not respond. */
const STORE_DEADLINE_MS = 2_500;

interface Stored {
  store: Store;
  filtered: Filtered;
}

interface Tick {
  batch: ClickBatch;
  stored: Promise<Filtered>;
}

/**
 * Write-ahead journal of clicks. Clicks of one turn of the event loop and shard share an append: to the Redis stream,
 * else to Postgres, else to the spool on disk, so that no outage of the stores loses clicks.
 */
@Injectable()
export class ClickJournal {
  private readonly shards: number;
  /** Clicks of the current turn of the event loop, by shard. */
  private readonly ticks: (Tick | undefined)[] = [];

  constructor(
    private readonly redis: RedisJournal,
    private readonly postgres: PostgresJournal,
    private readonly spool: ClickSpool,
    private readonly clickMetrics: ClickMetrics,
    metrics: Metrics,
    config: Config,
  ) {
    clickMetrics.register(metrics);
    this.shards = config.clicks.streamShards;
  }

  /**
   * Journals a click.
   * @returns ids of the clicks of its batch that de-duplication has filtered out
   * @throws if neither a store nor the disk accepts it
   */
  append(click: Click): Promise<Filtered> {
    const shard = click.trackedLinkId % this.shards;
    const tick = (this.ticks[shard] ??= this.startTick(shard));
    if (click.dedup) tick.batch.withDedup.push(click);
    else tick.batch.lines.push(encodeClick(click));
    return tick.stored;
  }

  /** Moves spooled lines to a store. @throws if no store confirms them, although one may have stored them */
  async move(lines: readonly string[]): Promise<void> {
    for (const batch of batchesOf(lines, (trackedLinkId) => trackedLinkId % this.shards))
      this.filter(batch, (await this.store(batch)).filtered);
  }

  private store(batch: ClickBatch): Promise<Stored> {
    return withDeadline(this.storeInEither(batch), STORE_DEADLINE_MS);
  }

  private async storeInEither(batch: ClickBatch): Promise<Stored> {
    const filtered = await this.redis.append(batch);
    if (filtered) return { store: 'redis', filtered };
    return { store: 'postgres', filtered: await this.postgres.append(batch) };
  }

  private startTick(shard: number): Tick {
    const batch: ClickBatch = { shard, lines: [], withDedup: [] };
    const stored = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.ticks[shard] = undefined;
      return this.appendBatch(batch);
    });
    return { batch, stored };
  }

  private async appendBatch(batch: ClickBatch): Promise<Filtered> {
    if (!this.spool.inUse) {
      try {
        const { store, filtered } = await this.store(batch);
        this.clickMetrics.stored(store, sizeOf(batch) - this.filter(batch, filtered));
        return filtered;
      } catch {
        this.spool.inUse = true;
      }
    }
    try {
      await this.spool.append(batch);
    } catch (error) {
      this.clickMetrics.refuse(sizeOf(batch));
      throw error;
    }
    this.clickMetrics.stored('spool', sizeOf(batch));
    return NONE_FILTERED;
  }

  /** Adds the filtered clicks of a batch to the metrics. @returns their number */
  private filter({ withDedup }: ClickBatch, filtered: Filtered): number {
    const own = filtered.size === 0 ? 0 : withDedup.filter(({ id }) => filtered.has(id)).length;
    this.clickMetrics.filter(own);
    return own;
  }
}

function sizeOf({ lines, withDedup }: ClickBatch): number {
  return lines.length + withDedup.length;
}
