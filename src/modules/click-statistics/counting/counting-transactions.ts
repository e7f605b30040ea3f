import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { Database } from '../../../infrastructure/database/database';
import type { Tx } from '../../../infrastructure/database/tx';

/** A batch takes tenths of a second; one that takes so long has lost its connection, or is too much for the store. */
const LIMIT_MS = 5_000;
const MIN_CLICKS = 100;

/** The transactions in which batches of clicks are counted, and how many clicks they take at a time. */
@Injectable()
export class CountingTransactions {
  /** Clicks of the next batch: fewer after one that was not done in time, more again after one that was. */
  clicks: number;
  private readonly maxClicks: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) config: Config,
  ) {
    this.clicks = this.maxClicks = config.clicks.batch;
  }

  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const result = await this.database.writeWithin(LIMIT_MS, work);
      this.clicks = Math.min(this.clicks * 2, this.maxClicks);
      return result;
    } catch (error) {
      const late = performance.now() - startedAt >= LIMIT_MS;
      if (late) this.clicks = Math.min(Math.max(Math.ceil(this.clicks / 2), MIN_CLICKS), this.maxClicks);
      throw error;
    }
  }
}
