import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Config } from '../../../config/config';
import { CONFIG } from '../../../config/config.module';
import { ownPool } from '../../../infrastructure/database/data-source';
import { encodeClick } from '../click';
import { type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { DedupLocks } from '../dedup-locks';
import { Database } from '../../../infrastructure/database/database';

const COMMIT_LIMIT_MS = 2_000;

/** Room for the lines of a commit under load, some thirty, ten times over. What was spooled may be larger by far. */
const USUAL_BYTES = 256 * 1024;
/** UTF-8, of a string's unit. */
const MAX_BYTES_A_UNIT = 3;

interface Waiting {
  batch: ClickBatch;
  resolve: (filtered: Filtered) => void;
  reject: (error: unknown) => void;
}

/**
 * The journal while Redis is away or not there: a table that is read like the stream. One commit at a time; what
 * arrives meanwhile shares the next one, so that batches grow with the load by themselves.
 */
@Injectable()
export class PostgresJournal implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private committing = false;

  /** Of its own: one statement, prepared once. */
  private readonly pool: Pool;
  /** Of the one commit that is on its way. */
  private readonly bytes = Buffer.allocUnsafe(USUAL_BYTES);

  constructor(
    private readonly database: Database,
    private readonly claims: DedupLocks,
    @Inject(CONFIG) { databaseUrl }: Config,
  ) {
    this.pool = ownPool({
      connectionString: databaseUrl,
      // A commit is quick, or its connection is lost: the next one must not wait behind it.
      connectionTimeoutMillis: COMMIT_LIMIT_MS,
      query_timeout: COMMIT_LIMIT_MS,
      max: 1,
      application_name: 'waypost journal',
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** @throws when Postgres did not take them */
  append(batch: ClickBatch): Promise<Filtered> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ batch, resolve, reject });
      if (!this.committing) void this.commitAll();
    });
  }

  private async commitAll(): Promise<void> {
    this.committing = true;
    while (this.waiting.length > 0) {
      const taken = this.waiting;
      this.waiting = [];
      try {
        const filtered = await this.commit(taken.map((waiting) => waiting.batch));
        for (const waiting of taken) waiting.resolve(filtered);
      } catch (error) {
        for (const waiting of taken) waiting.reject(error);
      }
    }
    this.committing = false;
  }

  private async commit(batches: readonly ClickBatch[]): Promise<Filtered> {
    const lines = batches.flatMap((batch) => batch.lines);
    const claiming = batches.flatMap((batch) => batch.claiming);
    if (claiming.length === 0) {
      await this.pool.query({
        name: 'journal',
        text: INSERT,
        values: [this.encode(lines), lines.length],
      });
      return NONE_FILTERED;
    }
    return this.database.writeWithin(COMMIT_LIMIT_MS, async (tx) => {
      const filtered = await this.claims.settle(tx, claiming);
      for (const click of claiming) {
        const { claim } = click;
        if (claim && !filtered.has(click.id))
          lines.push(encodeClick({ ...click, claim: { ...claim, settled: true } }));
      }
      if (lines.length > 0) await tx.query(INSERT, [lines.join('\n'), lines.length]);
      return filtered;
    });
  }

  /** As bytes: texts that went to pg outlived two collections of garbage, which made each of them longer. */
  private encode(lines: readonly string[]): Buffer {
    const text = lines.join('\n');
    if (text.length * MAX_BYTES_A_UNIT > USUAL_BYTES) return Buffer.from(text);
    return this.bytes.subarray(0, this.bytes.write(text));
  }
}

const INSERT = `INSERT INTO click_journal (lines, clicks) VALUES ($1, $2)`;
