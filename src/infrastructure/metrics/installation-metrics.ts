import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { withDeadline } from '../../common/deadline';
import { Clock } from '../../common/time/clock';
import { ADVISORY_LOCK } from '../database/advisory-locks';
import { Database } from '../database/database';
import type { Sample } from './hot-counters';
import { Metrics } from './metrics';

/** How often the holder of the lock pings its connection, and the others try the lock. */
const PERIOD_MS = 3_000;
/** Postgres ends the session of a frozen holder after this time, which frees the lock. */
const IDLE_LIMIT = '9s';
/** Scrapes within this time share a result. */
const CACHE_MS = 10_000;
/** A store that does not respond must not hold up a scrape. */
const READ_LIMIT_MS = 2_000;
/** A connection that does not respond must not hold up a shutdown. */
const STOP_LIMIT_MS = 500;

interface Reading {
  at: number;
  values: Promise<readonly Sample[]>;
}

/**
 * Gauges about the whole installation. Only the process that holds a lock in Postgres reports them, so that they are
 * not counted several times; another takes over within seconds of its end.
 */
@Injectable()
export class InstallationMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private held = false;
  private loop: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();

  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param read its failure, such as during an outage of a store, leaves the gauge out */
  gauge(name: string, help: string, read: () => Promise<readonly Sample[]>): void {
    let last: Reading | null = null;
    const values = async () => {
      if (!this.held) return [];
      const now = this.clock.now();
      if (!last || Math.abs(now - last.at) >= CACHE_MS) {
        last = { at: now, values: withDeadline(read(), READ_LIMIT_MS).catch(() => []) };
      }
      const samples = await last.values;
      return this.isHeld() ? samples : [];
    };
    this.metrics.register({ name, get: async () => ({ name, help, type: 'gauge', values: await values() }) });
  }

  onApplicationBootstrap(): void {
    this.loop = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await withDeadline(this.loop, STOP_LIMIT_MS).catch(() => undefined);
    this.held = false;
  }

  /** A method, because TypeScript would take the field for unchanged after an await. */
  private isHeld(): boolean {
    return this.held;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.database.session((client) => this.holdLock(client)).catch(() => undefined);
      await this.pause();
    }
  }

  /**
   * Holds the lock until the connection is lost. Returns at once if another process holds it. @throws when the
   * connection is lost
   */
  private async holdLock(client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [
      ADVISORY_LOCK.metrics,
    ]);
    if (!rows[0]?.held) return;
    const lost = () => (this.held = false);
    client.on('error', lost);
    try {
      await client.query(`SET idle_session_timeout = '${IDLE_LIMIT}'`);
      this.held = true;
      while (!this.stopping.signal.aborted) {
        await this.pause();
        await client.query('SELECT 1');
      }
      await client.query('RESET idle_session_timeout');
      await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCK.metrics]);
    } finally {
      client.off('error', lost);
      this.held = false;
    }
  }

  private async pause(): Promise<void> {
    await delay(PERIOD_MS, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}
