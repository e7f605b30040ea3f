import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, QueryResultRow } from 'pg';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { ownPool } from './data-source';
import type { PreparedStatement } from './prepared-statements';

/** Each is held for one statement by key, and never while anything else is waited for. */
const CONNECTIONS = 3;

/**
 * Reads by key, by which caches fill themselves, on connections of their own: a transaction that asks a cache would
 * otherwise wait for a connection that others hold until it ends, and a redirect behind all that the API does.
 */
@Injectable()
export class ReadPool implements OnApplicationShutdown {
  private readonly pool: Pool;

  constructor(@Inject(CONFIG) { databaseUrl }: Config) {
    this.pool = ownPool({
      connectionString: databaseUrl,
      max: CONNECTIONS,
      application_name: 'waypost readPool',
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }

  /** Runs one statement that reads what is committed. `Row` is the shape of a row that it returns. */
  async query<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    parameters: readonly unknown[],
  ): Promise<Row[]> {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    const { rows } = await this.pool.query<Row>({ ...query, values: [...parameters] });
    return rows;
  }
}
