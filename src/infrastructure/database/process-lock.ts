import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withDeadline } from '../../common/deadline';
import { ADVISORY_LOCK } from './advisory-locks';
import { type Route, routeOptions } from './database-address';
import { TimelyClient } from './time-limit';

const LOCK = ADVISORY_LOCK.process;
/** How long a killed predecessor may hold the lock, until Postgres notices. */
const LOCK_TIMEOUT_MS = 5_000;
const RETRY_MS = 200;
const ATTEMPT_TIMEOUT_MS = 3_000;
/** The server notices a vanished peer, and frees its lock, before the successor gives up. */
const KEEPALIVE =
  'SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2';

/** Another process uses the database, and one of the two has no Redis. */
export class DatabaseInUse extends Error {}

/**
 * Without Redis, a process must be the only one on its database, because its caches and rate limits are
 * local. It holds an exclusive lock; processes with Redis hold a shared one. The lock lives as long as its
 * connection.
 */
export class ProcessLock {
  private client: Client | null = null;
  private closed = false;

  private constructor(
    private readonly route: Route,
    private readonly alone: boolean,
    private readonly onLost: (error: Error) => void,
  ) {}

  /**
   * @param alone whether this process runs without Redis
   * @param onLost called if another process took the lock while the connection was down
   * @throws DatabaseInUse
   */
  static async acquire(route: Route, alone: boolean, onLost: (error: Error) => void): Promise<ProcessLock> {
    const lock = new ProcessLock(route, alone, onLost);
    await lock.connect();
    return lock;
  }

  async release(): Promise<void> {
    this.closed = true;
    // A server that does not respond releases the lock when the connection drops, soon after this process has ended.
    if (this.client) await withDeadline(this.client.end(), ATTEMPT_TIMEOUT_MS / 3).catch(() => undefined);
  }

  private async connect(): Promise<void> {
    const client = new TimelyClient({
      ...routeOptions(this.route),
      application_name: 'waypost lock',
      connectionTimeoutMillis: ATTEMPT_TIMEOUT_MS,
      query_timeout: ATTEMPT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 2_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(KEEPALIVE);
      await this.take(client);
    } catch (error) {
      void client.end();
      throw error;
    }
    this.client = client;
    client.on('end', () => void this.reconnect());
  }

  private async take(client: Client): Promise<void> {
    const take = this.alone ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}($1) AS taken`, [LOCK]);
      if (rows[0]?.taken) return;
      if (performance.now() > giveUpAt) {
        throw new DatabaseInUse(
          'DATABASE_URL: another process uses this database. Set REDIS_URL on every process to run several.',
        );
      }
      await delay(RETRY_MS);
    }
  }

  private async reconnect(): Promise<void> {
    while (!this.closed) {
      try {
        await this.connect();
        return;
      } catch (error) {
        if (error instanceof DatabaseInUse) {
          this.onLost(error);
          return;
        }
        await delay(RETRY_MS);
      }
    }
  }
}
