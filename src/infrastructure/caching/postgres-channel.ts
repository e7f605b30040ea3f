import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Database } from '../database/database';
import { type Route, routeOptions } from '../database/database-address';
import { TimelyClient } from '../database/time-limit';

const RETRY_MS = 500;

/** Messages between processes through Postgres NOTIFY, on a dedicated connection that reconnects until it is closed. */
export class PostgresChannel {
  private client: Client | null = null;
  private closed = false;

  constructor(
    private readonly database: Database,
    private readonly route: Route,
    /** Used as an SQL identifier without quotes. */
    private readonly name: string,
  ) {}

  /** @param message at most 7,900 bytes */
  async send(message: string): Promise<void> {
    await this.database.read('SELECT pg_notify($1, $2)', [this.name, message]);
  }

  /** Calls `onMessage` for every message, including those sent by this process. */
  listen(onMessage: (message: string) => void): void {
    void this.connect(onMessage);
  }

  close(): void {
    this.closed = true;
    void this.client?.end();
  }

  /** A method, because TypeScript would narrow the field to false for the whole loop. */
  private stopped(): boolean {
    return this.closed;
  }

  private async connect(onMessage: (message: string) => void): Promise<void> {
    while (!this.stopped()) {
      const client = new TimelyClient({
        ...routeOptions(this.route),
        application_name: 'waypost channel',
        connectionTimeoutMillis: 3_000,
        query_timeout: 3_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 5_000,
      });
      const ended = new Promise((resolve) => client.once('end', resolve));
      client.on('error', () => undefined);
      client.on('notification', ({ payload }) => onMessage(payload ?? ''));
      this.client = client;
      try {
        await client.connect();
        await client.query(`LISTEN ${this.name}`);
        await ended;
      } catch {
        void client.end();
      }
      if (!this.stopped()) await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
