import { Injectable } from '@nestjs/common';
import { Config } from '../../../config/config';
import { Database, type Tx } from '../../../infrastructure/database/database';

/** A batch usually takes tenths of a second; a timeout means a lost connection or an overloaded Postgres. */
const BATCH_LIMIT_MS = 5_000;
const MIN_CLICKS = 100;
/** Batches slower than this are halved, because a batch that reaches its limit is rolled back. */
const SLOW_MS = BATCH_LIMIT_MS / 2;
const FAST_MS = BATCH_LIMIT_MS / 4;

/** Runs the transactions that count batches of clicks, and adapts the batch size to their duration. */
@Injectable()
export class CountingTransactions {
  /** Size of the next batch: halved after a slow batch, doubled after a fast one, within limits. */
  clicks: number;
  private readonly maxClicks: number;

  constructor(
    private readonly database: Database,
    config: Config,
  ) {
    this.clicks = this.maxClicks = config.clicks.batch;
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const result = await this.database.writeWithin(BATCH_LIMIT_MS, work);
      if (performance.now() - startedAt < FAST_MS) this.resize(2);
      return result;
    } finally {
      if (performance.now() - startedAt > SLOW_MS) this.resize(0.5);
    }
  }

  private resize(factor: number): void {
    this.clicks = Math.min(Math.max(Math.ceil(this.clicks * factor), MIN_CLICKS), this.maxClicks);
  }
}
