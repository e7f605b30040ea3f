import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { withDeadline } from '../../common/deadline';
import { Clock } from '../../common/time/clock';
import { ADVISORY_LOCK } from '../database/advisory-locks';
import { Database } from '../database/database';
import type { Sample } from './hot-counters';
import { Metrics } from './metrics';

/** How often the holder of the lock asks for its connection, and the others for the lock. */
const PERIOD_MS = 3_000;
/** Postgres ends the session of a holder that is frozen, and so frees the lock. */
const IDLE_LIMIT = '9s';
/** Several scrapes in a row share a count. */
const CACHE_MS = 10_000;
/** A store that does not answer must not hold up a scrape. */
const READ_LIMIT_MS = 2_000;
/** A connection that does not answer must not hold up a stop. */
const STOP_LIMIT_MS = 500;

interface Reading {
  at: number;
  values: Promise<readonly Sample[]>;
}

/**
 * Gauges about the whole installation. One process prints them, the holder of a lock in Postgres, so that they are one
 * series; another takes over within seconds of its end.
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

  /** @param read is not printed when it fails, as while a store is away */
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

  /** A function, because TypeScript's control flow takes the field for unchanged after an await. */
  private isHeld(): boolean {
    return this.held;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await this.database.session((client) => this.holdLock(client)).catch(() => undefined);
      await this.pause();
    }
  }

  /** Returns at once if another process holds the lock. @throws when the connection is lost */
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
