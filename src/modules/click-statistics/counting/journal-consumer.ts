import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { ClickIngest, CountingTransactions } from './click-ingest';
import { takeFromJournal } from '../../clicks/journal/journal-queue';

const FAILED_REST_MS = 1_000;
/**
 * A batch is followed by a rest of several times its duration, within these bounds: clicks that wait together are
 * written together, and commits that visitors wait for have the store to themselves.
 */
const REST = { factor: 3, minMs: 100, maxMs: 1_000 };

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
      let rest = FAILED_REST_MS;
      try {
        const startedAt = performance.now();
        await this.consumeBatch();
        rest = restAfter(performance.now() - startedAt);
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the journal: ${describeError(error).message}`);
        failing = true;
      }
      await delay(rest, undefined, { signal }).catch(() => undefined);
    }
  }

  private async consumeBatch(): Promise<void> {
    await this.transactions.run(async (tx) => {
      const clicks = await takeFromJournal(tx, this.transactions.clicks);
      if (clicks.length > 0) await this.ingest.ingest(tx, await this.ingest.prepare(clicks));
    });
  }
}

/** Milliseconds of rest after a batch that took `tookMs`. */
function restAfter(tookMs: number): number {
  return Math.min(Math.max(tookMs * REST.factor, REST.minMs), REST.maxMs);
}
