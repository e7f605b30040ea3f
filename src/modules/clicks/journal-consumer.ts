import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { describeError } from '../../common/logging/logger';
import { decodeClick } from './click';
import { ClickIngest } from './click-ingest';
import { type Counted, CountingPace } from './counting-pace';
import { CountingTransactions } from './counting-transactions';

/** Before it tries again. */
const FAILED_REST_MS = 1_000;

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
      const [rows] = await tx.manager.query<[JournalRow[], number]>(TAKE, [this.transactions.clicks]);
      const clicks = rows.flatMap((row) => row.lines.split('\n')).map(decodeClick);
      if (clicks.length === 0) return { counted: 0, waiting: 0 };
      await this.ingest.ingest(tx, await this.ingest.prepare(clicks));
      const [next] = await tx.query<{ waiting: number }>(WAITING);
      return { counted: clicks.length, waiting: next?.waiting ?? 0 };
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

// As many rows as TAKE looks at.
const WAITING = `
  SELECT coalesce(sum(clicks), 0)::bigint AS waiting
    FROM (SELECT clicks FROM click_journal ORDER BY id LIMIT 5000) AS next`;
