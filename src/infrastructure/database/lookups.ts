import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool, type QueryResultRow } from 'pg';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { CONNECTION } from './data-source';

/** Each is held for one statement by key, and never while anything else is waited for. */
const CONNECTIONS = 3;

/**
 * Reads by which caches fill themselves, on connections of their own: a transaction that asks a cache would otherwise
 * wait for a connection that others hold until it ends, and a redirect behind all that the API does.
 */
@Injectable()
export class Lookups implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) { databaseUrl }: Config) {
    this.pool = new Pool({
      ...CONNECTION,
      connectionString: databaseUrl,
      max: CONNECTIONS,
      application_name: 'waypost lookups',
    });
    // A connection that breaks while idle is replaced by the next read.
    this.pool.on('error', () => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Runs one statement that reads what is committed. `Row` is the shape of a row that it returns. */
  async query<Row extends QueryResultRow>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>(sql, [...parameters]);
    return rows;
  }
}
