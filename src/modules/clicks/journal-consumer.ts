import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import { decodeClick } from './click';
import { ClickIngest } from './click-ingest';
import { CountingTransactions } from './counting-transactions';

/**
 * After a batch it rests several times as long as the batch took, within these bounds: clicks that wait together are
 * written together, each link's row once, and the commits that visitors wait for have the store to themselves.
 */
const REST = { factor: 3, minMs: 100, maxMs: 1_000 };

interface JournalRow {
  id: number;
  lines: string;
  clicks: number;
}

/** Counts the clicks of the journal table: each row is deleted in the transaction that counts its clicks. */
@Injectable()
export class JournalConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JournalConsumer.name);
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  /** Lets the batch that is being counted finish. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let failing = false;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await this.consumeBatch();
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the journal: ${describeError(error).message}`);
        failing = true;
      }
      const rest = (performance.now() - startedAt) * REST.factor;
      const bounded = Math.min(Math.max(rest, REST.minMs), REST.maxMs);
      await delay(bounded, undefined, { signal }).catch(() => undefined);
    }
  }

  private async consumeBatch(): Promise<void> {
    await this.transactions.run(async (tx) => {
      const rows = await tx.manager.query<[JournalRow[], number]>(TAKE, [this.transactions.clicks]);
      const clicks = rows[0].flatMap((row) => row.lines.split('\n')).map(decodeClick);
      if (clicks.length > 0) await this.ingest.ingest(tx, await this.ingest.prepare(clicks));
    });
  }
}

// Rows are taken oldest first until they hold a batch; what another consumer has taken is passed over.
const TAKE = `
  DELETE FROM click_journal
   WHERE id IN (SELECT id
                  FROM (SELECT id, sum(clicks) OVER (ORDER BY id) - clicks AS before
                          FROM (SELECT id, clicks FROM click_journal ORDER BY id LIMIT 5000 FOR UPDATE SKIP LOCKED) AS oldest
                       ) AS counted
                 WHERE before < $1)
  RETURNING id, lines, clicks`;
