import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { isStoreFailure } from '../../../common/errors/store-failure';
import type { RedisStore } from '../../redis/redis';
import { ownPool } from '../data-source';
import type { DatabaseAddress, Route } from '../database-address';
import { destroy } from '../primary';
import { isStatementTimeout } from '../statement-timeout';
import { WriteMarks } from './write-marks';

const SAMPLE_EVERY_MS = 250;
/** A server that takes longer counts as unreachable. */
const ANSWER_MS = 500;
const CATCH_UP_EVERY_MS = 20;

/** The primary's LSN at a point in time. */
interface Sample {
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  readonly lsn: number;
}

/**
 * A replica that is read only while it has replayed the organization's own writes, and everybody's writes up to
 * `maxLagMs` ago (docs/adr/0057-reads-of-a-replica.md). An LSN is a number of bytes of the primary's WAL.
 */
export class Replica {
  /** Connections of reports; when all are in use, further reports read the primary. */
  readonly pool: Pool;
  readonly reads = { replica: 0, primary: 0 };
  private readonly marks: WriteMarks;
  private readonly primary: Pool;
  private readonly watch: Pool;
  private readonly active = new Set<PoolClient>();
  private samples: Sample[] = [];
  /** Time of the latest sample of the primary that the replica has replayed. */
  private freshAsOf = -Infinity;
  private readableFrom = -Infinity;
  private closed = false;
  private reason: string | null = null;
  /**
   * Whether the last log message about the replica said that it is in use; at first, problems are reported by the start
   * itself.
   */
  private saidRead = false;
  private readonly logger = new Logger(Replica.name);

  constructor(
    route: Route,
    { main }: DatabaseAddress,
    redis: RedisStore,
    private readonly options: { readonly poolSize: number; readonly maxLagMs: number },
  ) {
    const { poolSize, maxLagMs } = options;
    this.marks = new WriteMarks(redis, maxLagMs + ANSWER_MS);
    const one = { max: 1, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
    this.pool = ownPool(route, {
      max: poolSize,
      connectionTimeoutMillis: ANSWER_MS,
      application_name: 'waypost reports',
    });
    this.watch = ownPool(route, { ...one, application_name: 'waypost watch' });
    this.primary = ownPool(main, { ...one, application_name: 'waypost LSNs' });
    // LSNs of the former primary mean nothing on its successor.
    main.primary?.onChange(() => {
      this.samples = [];
      this.readableFrom = performance.now() + maxLagMs;
    });
    void this.follow();
  }

  get lagMs(): number {
    return performance.now() - this.freshAsOf;
  }

  get isUsable(): boolean {
    return this.floor() !== null;
  }

  /** Why the replica cannot be used, without its address; null while it responds. */
  get problem(): string | null {
    return this.reason;
  }

  /** Records that the organization has written, so that its reads see everything it has written so far. */
  async wrote(organizationId: number): Promise<void> {
    const lsn = await this.lsnOf(WRITTEN).catch(() => Infinity);
    if (!(await this.marks.set(organizationId, lsn))) await this.caughtUp(lsn);
  }

  /** Runs the read-only `work` on the replica. @returns null if the primary has to be read instead */
  async read<T>(
    organizationId: number,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<{ value: T } | null> {
    const read = await this.attempt(organizationId, work);
    this.reads[read ? 'replica' : 'primary']++;
    return read;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.watch.end(), this.primary.end()]);
  }

  private async attempt<T>(
    organizationId: number,
    work: (client: PoolClient) => Promise<T>,
  ): Promise<{ value: T } | null> {
    const floor = this.floor();
    if (floor === null) return null;
    const least = Math.max(floor, await this.marks.get(organizationId));
    if (least === Infinity) return null;
    const client = await this.pool.connect().catch(() => null);
    if (!client) return null;
    let broken = true;
    // Without this listener, a lost connection would end the process.
    client.on('error', ignore);
    this.active.add(client);
    try {
      // The check precedes the snapshot of `work`, which therefore shows at least as much.
      const value = (await hasReplayed(client, least)) ? { value: await work(client) } : null;
      broken = false;
      return value;
    } catch (error) {
      // For example, the replica cancels statements that hold up its replay.
      if (isStoreFailure(error) && !isStatementTimeout(error)) return null;
      throw error;
    } finally {
      this.active.delete(client);
      client.off('error', ignore);
      client.release(broken);
    }
  }

  /** The LSN that the replica must have replayed to be read; null if it must not be read at all. */
  private floor(): number | null {
    const now = performance.now();
    const oldest = now - this.options.maxLagMs;
    const newest = this.samples.at(-1);
    if (!newest || newest.at < oldest || this.freshAsOf < oldest || now < this.readableFrom) return null;
    return (this.samples.findLast(({ at }) => at <= oldest) ?? this.samples[0] ?? newest).lsn;
  }

  private async follow(): Promise<void> {
    while (!this.closed) {
      await Promise.all([
        this.sample().catch(() => undefined),
        this.compare().catch((error: unknown) => {
          this.freshAsOf = -Infinity;
          this.sayUnreadable(error);
          // Ends running reads, which would wait for a replica that does not respond; the primary is asked instead.
          for (const client of this.active) destroy(client);
        }),
      ]);
      this.sayRead();
      await delay(SAMPLE_EVERY_MS, undefined, { ref: false });
    }
  }

  private sayUnreadable(error: unknown): void {
    const { code, message } = error as NodeJS.ErrnoException;
    this.reason = code ?? message;
    if (!this.saidRead || this.closed) return;
    this.saidRead = false;
    this.logger.warn('The replica cannot be read; the primary is read in its place', error);
  }

  private sayRead(): void {
    if (this.saidRead || this.closed || !this.isUsable) return;
    this.saidRead = true;
    this.logger.log('The replica is read');
  }

  private async sample(): Promise<void> {
    const at = performance.now();
    const lsn = await this.lsnOf(FLUSHED);
    const past = this.samples.findLastIndex((sample) => sample.at <= at - this.options.maxLagMs);
    this.samples = [...this.samples.slice(Math.max(past, 0)), { at, lsn }];
  }

  private async compare(): Promise<void> {
    const { rows } = await this.watch.query<{ lsn: number | null }>(REPLAYED);
    const lsn = rows[0]?.lsn;
    if (lsn === null || lsn === undefined) throw new Error('the server is no standby');
    const sample = this.samples.findLast((each) => each.lsn <= lsn);
    if (sample) this.freshAsOf = sample.at;
    this.reason = null;
  }

  /**
   * Waits until the replica has replayed `lsn`, at most `maxLagMs`. Used when the write could not be marked in Redis:
   * other processes may then read the replica without the mark.
   */
  private async caughtUp(lsn: number): Promise<void> {
    const giveUpAt = performance.now() + this.options.maxLagMs;
    while (performance.now() < giveUpAt) {
      const { rows } = await this.watch
        .query<{ lsn: number | null }>(REPLAYED)
        .catch(() => ({ rows: [{ lsn: null }] }));
      if ((rows[0]?.lsn ?? -1) >= lsn) return;
      await delay(CATCH_UP_EVERY_MS);
    }
  }

  private async lsnOf(sql: string): Promise<number> {
    const { rows } = await this.primary.query<{ lsn: number }>(sql);
    const [row] = rows;
    if (!row) throw new Error('The primary has no LSN');
    return row.lsn;
  }
}

function ignore(): void {
  // The statement that uses the connection fails with the same error.
}

async function hasReplayed(client: PoolClient, lsn: number): Promise<boolean> {
  const { rows } = await client.query<{ lsn: number | null }>(REPLAYED);
  return (rows[0]?.lsn ?? -1) >= lsn;
}

/** The insert position, which also covers commits that have not been flushed (synchronous_commit off). */
const WRITTEN = `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS lsn`;

/** The flush position, which is the end of a record, so that an idle replica reaches it. */
const FLUSHED = `SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS lsn`;

/** Null on a server that is not, or no longer, a replica. */
const REPLAYED = `
  SELECT CASE WHEN pg_is_in_recovery()
              THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END AS lsn`;
