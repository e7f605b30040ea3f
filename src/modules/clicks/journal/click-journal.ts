import { Inject, Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { HotCounter } from '../../../infrastructure/metrics/hot-counters';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import { type Click, encodeClick } from '../click';
import { batchesOf, type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { ClickSpool } from '../spool/click-spool';
import { PostgresJournal } from './postgres-journal';
import { RedisJournal } from './redis-journal';

/** How long a redirect waits for a store that does not respond. */
const STORE_DEADLINE_MS = 2_500;

const STORES = ['redis', 'postgres', 'spool'] as const;
type Store = (typeof STORES)[number];

interface Stored {
  store: Store;
  /** Ids of the clicks that de-duplication filtered out. */
  filtered: Filtered;
}

interface Tick {
  batch: ClickBatch;
  stored: Promise<Filtered>;
}

/**
 * Write-ahead journal of clicks. Clicks of one tick and shard share one append: to the Redis stream, else to Postgres,
 * else to the spool on disk, so that a store outage loses none.
 */
@Injectable()
export class ClickJournal {
  private readonly shards: number;
  /** The current tick, by shard. */
  private readonly ticks: (Tick | undefined)[] = [];
  private readonly journaled = new HotCounter(
    'waypost_clicks_journaled_total',
    'Clicks stored, by the first store',
    {
      store: STORES,
    },
  );
  private readonly refused = new HotCounter('waypost_clicks_refused_total', 'Clicks that no store took', {});

  constructor(
    private readonly redis: RedisJournal,
    private readonly postgres: PostgresJournal,
    private readonly spool: ClickSpool,
    metrics: Metrics,
    @Inject(CONFIG) config: Config,
  ) {
    metrics.register(this.journaled);
    metrics.register(this.refused);
    this.shards = config.clicks.streamShards;
  }

  /**
   * Journals a click.
   * @returns ids of the clicks of its tick that de-duplication filtered out
   * @throws when neither store nor the disk accepts it
   */
  append(click: Click): Promise<Filtered> {
    const shard = click.trackedLinkId % this.shards;
    const tick = (this.ticks[shard] ??= this.startTick(shard));
    if (click.dedup) tick.batch.withDedup.push(click);
    else tick.batch.lines.push(encodeClick(click));
    return tick.stored;
  }

  /** Moves spooled lines to a store. @throws when no store confirms them, although one may have stored them */
  async move(lines: readonly string[]): Promise<void> {
    for (const batch of batchesOf(lines, (trackedLinkId) => trackedLinkId % this.shards))
      await this.store(batch);
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
        this.count(store, batch, filtered);
        return filtered;
      } catch {
        this.spool.inUse = true;
      }
    }
    try {
      await this.spool.append(batch);
    } catch (error) {
      this.refused.counts[0] = (this.refused.counts[0] ?? 0) + sizeOf(batch);
      throw error;
    }
    this.count('spool', batch, NONE_FILTERED);
    return NONE_FILTERED;
  }

  private count(store: Store, batch: ClickBatch, filtered: Filtered): void {
    const { counts } = this.journaled;
    const index = STORES.indexOf(store);
    const own = filtered.size === 0 ? 0 : batch.withDedup.filter(({ id }) => filtered.has(id)).length;
    counts[index] = (counts[index] ?? 0) + sizeOf(batch) - own;
  }
}

function sizeOf({ lines, withDedup }: ClickBatch): number {
  return lines.length + withDedup.length;
}
