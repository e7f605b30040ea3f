import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ClickIngest, CountingTransactions } from './click-ingest';
import type { EnrichedClick } from './enriched-click';

interface Waiting {
  readonly clicks: readonly EnrichedClick[];
  /** Confirms that the clicks are counted, to where they come from. */
  readonly acknowledge: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts clicks with group commit: one transaction runs at a time, and clicks of other shards that arrive meanwhile share
 * the next one. Transactions side by side would wait for each other's rows, and write more of them.
 */
@Injectable()
export class GroupCounting {
  private waiting: Waiting[] = [];
  private counting = false;

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
  ) {}

  /**
   * Resolves when the clicks are counted and acknowledged. A failed acknowledgement is no failure.
   * @throws when the transaction fails
   */
  count(clicks: readonly EnrichedClick[], acknowledge: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ clicks, acknowledge, resolve, reject });
      if (!this.counting) void this.countAll();
    });
  }

  private async countAll(): Promise<void> {
    this.counting = true;
    while (this.waiting.length > 0) {
      const taken = this.waiting;
      this.waiting = [];
      try {
        const clicks = taken.flatMap((each) => each.clicks);
        await this.transactions.run((tx) => this.ingest.ingest(tx, clicks));
        await Promise.all(taken.map(({ acknowledge }) => acknowledge().catch(() => undefined)));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
      // Shards whose next clicks are ready bring them now.
      await nextTurn();
    }
    this.counting = false;
  }
}
