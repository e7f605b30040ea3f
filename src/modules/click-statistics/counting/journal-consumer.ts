import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../../../common/logging/logger';
import { takeFromJournal, waitingInJournal } from '../../clicks/journal/journal-queue';
import { ClickIngest } from './click-ingest';
import { type Counted, CountingPace } from './counting-pace';
import { CountingTransactions } from './counting-transactions';

/** Before it tries again. */
const FAILED_REST_MS = 1_000;

/** Counts the clicks of the journal table: each row is deleted in the transaction that counts its clicks. */
@Injectable()
export class JournalConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(JournalConsumer.name);
  private readonly stopping = new AbortController();
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly transactions: CountingTransactions,
    private readonly ingest: ClickIngest,
    private readonly pace: CountingPace,
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
        rest = this.pace.restAfter(startedAt, await this.consumeBatch());
        failing = false;
      } catch (error) {
        if (!failing) this.logger.warn(`Clicks wait in the journal: ${describeError(error).message}`);
        failing = true;
      }
      await this.rest(rest);
    }
  }

  private async rest(ms: number): Promise<void> {
    const { signal } = this.stopping;
    for (let left = ms; left > 0; left = signal.aborted ? 0 : this.pace.givesWayFor) {
      await delay(left, undefined, { signal }).catch(() => undefined);
    }
  }

  private async consumeBatch(): Promise<Counted> {
    return this.transactions.run(async (tx) => {
      const clicks = await takeFromJournal(tx, this.transactions.clicks);
      if (clicks.length === 0) return { counted: 0, waiting: 0 };
      await this.ingest.ingest(tx, await this.ingest.prepare(clicks));
      return { counted: clicks.length, waiting: await waitingInJournal(tx) };
    });
  }
}
