import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { ClickIngest } from './click-ingest';
import { CountingTransactions } from './counting-transactions';
import { takeFromJournal } from '../../clicks/journal/journal-queue';

const RETRY_PAUSE_MS = 1_000;
/**
 * Pause after a batch, as a multiple of its duration within bounds: it lets more clicks share a batch, and leaves most
 * of Postgres to the commits that redirects wait for.
 */
const PAUSE = { factor: 3, minMs: 100, maxMs: 1_000 };

/** Counts the clicks of the journal table. A row is deleted in the transaction that counts its clicks. */
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

  /** Waits for the current batch. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let failing = false;
    while (!signal.aborted) {
      let pause = RETRY_PAUSE_MS;
      try {
        const startedAt = performance.now();
        await this.consumeBatch();
        pause = pauseAfter(performance.now() - startedAt);
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the journal: ${describeError(error).message}`);
        failing = true;
      }
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  private async consumeBatch(): Promise<void> {
    await this.transactions.run(async (tx) => {
      const clicks = await takeFromJournal(tx, this.transactions.clicks);
      if (clicks.length > 0) await this.ingest.ingest(tx, await this.ingest.prepare(clicks));
    });
  }
}

function pauseAfter(tookMs: number): number {
  return Math.min(Math.max(tookMs * PAUSE.factor, PAUSE.minMs), PAUSE.maxMs);
}
