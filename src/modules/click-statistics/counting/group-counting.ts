import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommit } from '../../../common/group-commit';
import type { EnrichedClick } from '../enriched-click';
import { ClickIngest } from './click-ingest';
import { CountingTransactions } from './counting-transactions';

interface Counted {
  readonly clicks: readonly EnrichedClick[];
  /** Removes the clicks from their stream. */
  readonly acknowledge: () => Promise<void>;
}

/**
 * Counts clicks with group commit, so that clicks of other shards that arrive meanwhile share the next transaction:
 * concurrent transactions would wait for each other's row locks, and write more rows of rollups.
 */
@Injectable()
export class GroupCounting {
  private readonly commits = new GroupCommit((counted: readonly Counted[]) => this.commit(counted), {
    // Lets shards whose next clicks are ready join the commit.
    pause: () => nextTurn(),
  });

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
  ) {}

  /**
   * Resolves after the commit and the acknowledgement. Entries whose acknowledgement fails are delivered again.
   * @throws if the transaction fails
   */
  count(clicks: readonly EnrichedClick[], acknowledge: () => Promise<void>): Promise<void> {
    return this.commits.add({ clicks, acknowledge });
  }

  private async commit(counted: readonly Counted[]): Promise<void> {
    const clicks = counted.flatMap((each) => each.clicks);
    await this.transactions.run((tx) => this.ingest.ingest(tx, clicks));
    await Promise.all(counted.map(({ acknowledge }) => acknowledge().catch(() => undefined)));
  }
}
