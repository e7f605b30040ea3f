import { Injectable, type OnModuleInit } from '@nestjs/common';
import { withDeadline } from '../../../common/deadline';
import { MAX_STREAM_SHARDS, Config } from '../../../config/config';
import { type Readiness, ReadinessChecks } from '../../../infrastructure/health/readiness-checks';
import { InstallationMetrics } from '../../../infrastructure/metrics/installation-metrics';
import { RedisStore } from '../../../infrastructure/redis/redis';
import { ClickSpool } from './click-spool';
import { allStreamKeys, byJournal, ofStreams, streamKey } from './click-stream';
import { Database } from '../../../infrastructure/database/database';

/** Entries in the backlog from which counting is degraded. An entry has all clicks of one turn of the event loop. */
const DEGRADED_ENTRIES = 50_000;
/** Leaves time to probe the disk within the limit of a check. */
const TABLE_LIMIT_MS = 700;

/** Reports clicks that are not counted yet to readiness checks and metrics. */
@Injectable()
export class ClickBacklog implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly redis: RedisStore,
    private readonly spool: ClickSpool,
    private readonly checks: ReadinessChecks,
    private readonly installation: InstallationMetrics,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.checks.add({ name: 'clicks', check: () => this.check() });
    this.installation.gauge(
      'waypost_click_backlog_entries',
      'Journal entries (each the clicks of one turn) that wait to be counted',
      () => byJournal(this.streamEntries(), this.tableEntries()),
    );
  }

  private async check(): Promise<Readiness> {
    // Servers that are down are reported by the check of Redis.
    const connected = allStreamKeys(this.redis).filter((key) => this.redis.readyFor(key));
    const [stream, table] = await Promise.all([
      this.streamEntries(connected).catch(() => null),
      withDeadline(this.tableEntries(), TABLE_LIMIT_MS).catch(() => null),
    ]);
    const takesAll = stream !== null && this.streams().every((key) => this.redis.readyFor(key));
    const noStore = table === null && !takesAll;
    // Redirects wait until their click is stored, so without any storage this process cannot serve them.
    if ((noStore || this.spool.inUse) && !(await this.spool.takesClicks()))
      return { status: 'down', details: { message: 'no place takes clicks' } };
    if (table === null || stream === null) throw new Error('A journal is not reachable');
    const waiting = stream + table;
    const spooling = this.spool.inUse;
    const status = spooling || waiting > DEGRADED_ENTRIES ? 'degraded' : 'up';
    const isKnown = !this.redis.configured || connected.length === MAX_STREAM_SHARDS;
    return { status, details: { ...(isKnown && { waiting }), spooling } };
  }

  /** @param keys of streams; all by default */
  private async streamEntries(keys?: readonly string[]): Promise<number> {
    const lengths = await ofStreams(this.redis, (redis, key) => redis.xlen(key), keys);
    return lengths.reduce((sum, length) => sum + length, 0);
  }

  private streams(): string[] {
    const { streamShards } = this.config.clicks;
    return Array.from({ length: streamShards }, (_, shard) => streamKey(this.redis, shard));
  }

  private async tableEntries(): Promise<number> {
    const row = await this.database.single<{ entries: number }>(
      `SELECT count(*) AS entries FROM (SELECT FROM click_journal LIMIT ${DEGRADED_ENTRIES + 1}) AS waiting`,
    );
    return row.entries;
  }
}
