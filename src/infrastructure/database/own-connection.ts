import type { Pool, QueryResultRow } from 'pg';
import type { PreparedStatement } from './tx';

/** A pool of one connection. */
export class OwnConnection {
  constructor(private readonly pool: Pool) {}

  /** Runs a prepared statement by itself. */
  async hot<Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query<Row & QueryResultRow>({ ...statement, values: [...values] });
    return rows;
  }

  /** Runs prepared statements in a transaction, which is rolled back if `work` fails. */
  async write<T>(work: (hot: OwnConnection['hot']) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let isLost = false;
    try {
      await client.query('BEGIN');
      const result = await work(async <Row>(statement: PreparedStatement, values: readonly unknown[]) => {
        const { rows } = await client.query<Row & QueryResultRow>({ ...statement, values: [...values] });
        return rows;
      });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A connection on which the rollback fails is closed.
      await client.query('ROLLBACK').catch(() => (isLost = true));
      throw error;
    } finally {
      client.release(isLost);
    }
  }
}
