import type { Pool, QueryResultRow } from 'pg';
import type { PreparedStatement } from './tx';

/** A pool of one connection. */
export class OwnConnection {
  constructor(private readonly pool: Pool) {}

  /** Runs a prepared statement outside any transaction. */
  async hot<Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row & QueryResultRow>({ ...statement, values: [...values] });
    return rows;
  }
}
