import { Injectable } from '@nestjs/common';
import { GroupCommit } from '../../../common/group-commit';
import { encodeClick } from '../click';
import { type ClickBatch, type Filtered, NONE_FILTERED } from './click-stream';
import { DedupLocks } from '../dedup-locks';
import { Database } from '../../../infrastructure/database/database';
import type { OwnConnection } from '../../../infrastructure/database/own-connection';

const COMMIT_LIMIT_MS = 2_000;

/** Size of the reused buffer, several times the lines of a commit under load. Spooled batches may exceed it. */
const BUFFER_BYTES = 256 * 1024;
/** Longest UTF-8 encoding of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** The journal without Redis: a table that is consumed like the stream, written with group commit. */
@Injectable()
export class PostgresJournal {
  private readonly commits = new GroupCommit((batches: readonly ClickBatch[]) => this.commit(batches));
  private readonly connection: OwnConnection;
  /** Lines of the commit in progress. */
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES);

  constructor(
    private readonly database: Database,
    private readonly locks: DedupLocks,
  ) {
    this.connection = database.ownConnection('journal', {
      // A commit that exceeds this has lost its connection, and must not block the next one.
      connectionTimeoutMillis: COMMIT_LIMIT_MS,
      query_timeout: COMMIT_LIMIT_MS,
    });
  }

  /** @throws when the commit fails */
  append(batch: ClickBatch): Promise<Filtered> {
    return this.commits.add(batch);
  }

  private async commit(batches: readonly ClickBatch[]): Promise<Filtered> {
    const lines = batches.flatMap((batch) => batch.lines);
    const withDedup = batches.flatMap((batch) => batch.withDedup);
    if (withDedup.length === 0) {
      await this.connection.hot({ name: 'journal', text: INSERT }, [this.encode(lines), lines.length]);
      return NONE_FILTERED;
    }
    return this.database.writeWithin(COMMIT_LIMIT_MS, async (tx) => {
      const filtered = await this.locks.settle(tx, withDedup);
      for (const click of withDedup) {
        const { dedup } = click;
        if (dedup && !filtered.has(click.id))
          lines.push(encodeClick({ ...click, dedup: { ...dedup, settled: true } }));
      }
      if (lines.length > 0) await tx.query(INSERT, [lines.join('\n'), lines.length]);
      return filtered;
    });
  }

  /** Uses a buffer instead of a string, because pg keeps strings long enough to slow down garbage collection. */
  private encode(lines: readonly string[]): Buffer {
    const text = lines.join('\n');
    if (text.length * MAX_BYTES_PER_UNIT > BUFFER_BYTES) return Buffer.from(text);
    return this.buffer.subarray(0, this.buffer.write(text));
  }
}

const INSERT = `INSERT INTO click_journal (lines, clicks) VALUES ($1, $2)`;
