import { Inject, Injectable } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { type Click, encodeClick } from '../click';
import { batchesOf, type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { ClickSpool } from '../spool/click-spool';
import { PostgresJournal } from './postgres-journal';
import { RedisJournal } from './redis-journal';

/** A visitor waits no longer than this for a store that says neither yes nor no. */
const STORE_DEADLINE_MS = 2_500;

interface Turn {
  batch: ClickBatch;
  kept: Promise<Filtered>;
}

/**
 * Keeps clicks before they are answered. All clicks of one turn of the event loop share one append: to the Redis
 * stream, else to Postgres, else to the spool on disk, so that an outage of either store loses none.
 */
@Injectable()
export class ClickJournal {
  private readonly shards: number;
  /** The turn that is going on, by shard. */
  private readonly turns: (Turn | undefined)[] = [];

  constructor(
    private readonly redis: RedisJournal,
    private readonly postgres: PostgresJournal,
    private readonly spool: ClickSpool,
    @Inject(CONFIG) config: Config,
  ) {
    this.shards = config.clicks.streamShards;
  }

  /** Resolves once the click is kept, with the ids that de-duplication refused. @throws when no place takes it */
  keep(click: Click): Promise<Filtered> {
    const shard = click.trackedLinkId % this.shards;
    const turn = (this.turns[shard] ??= this.startTurn(shard));
    if (click.claim) turn.batch.claiming.push(click);
    else turn.batch.lines.push(encodeClick(click));
    return turn.kept;
  }

  /** Moves lines that were spooled to a store. @throws when none takes them; they may be there all the same */
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

  private startTurn(shard: number): Turn {
    const batch: ClickBatch = { shard, lines: [], claiming: [] };
    const kept = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.turns[shard] = undefined;
      return this.append(batch);
    });
    return { batch, kept };
  }

  private async append(batch: ClickBatch): Promise<Filtered> {
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
