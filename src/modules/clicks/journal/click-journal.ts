import { Inject, Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { type Click, encodeClick } from '../click';
import { batchesOf, type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { ClickSpool } from '../spool/click-spool';
import { PostgresJournal } from './postgres-journal';
import { RedisJournal } from './redis-journal';

/** How long a redirect waits for a store that does not respond. */
const STORE_DEADLINE_MS = 2_500;

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

  constructor(
    private readonly redis: RedisJournal,
    private readonly postgres: PostgresJournal,
    private readonly spool: ClickSpool,
    @Inject(CONFIG) config: Config,
  ) {
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

  private store(batch: ClickBatch): Promise<Filtered> {
    return withDeadline(
      this.redis.append(batch).then((filtered) => filtered ?? this.postgres.append(batch)),
      STORE_DEADLINE_MS,
    );
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
        return await this.store(batch);
      } catch {
        this.spool.inUse = true;
      }
    }
    await this.spool.append(batch);
    return NONE_FILTERED;
  }
}
