import type { Client, ClientBase, QueryConfig, QueryResultRow } from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { type CopyValue, copyRows } from './copy-rows';

export interface PreparedStatement {
  name: string;
  text: string;
}

export function queryOf(statement: string | PreparedStatement, parameters: readonly unknown[]): QueryConfig {
  const query = typeof statement === 'string' ? { text: statement } : statement;
  return { ...query, values: [...parameters] };
}

/** Timeout of `slow`, for scheduled statements over millions of rows. */
const SLOW_MS = 600_000;

export class Tx {
  private readonly callbacks: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  async query<Row = unknown>(
    statement: string | PreparedStatement,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = await this.client();
    const { rows } = await client.query<Row & QueryResultRow>(queryOf(statement, parameters));
    return rows;
  }

  /** Runs an INSERT, UPDATE or DELETE in this transaction. @returns the number of affected rows */
  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const client = await this.client();
    const { rowCount } = await client.query(sql, [...parameters]);
    return rowCount ?? 0;
  }

  /** Runs a statement that may take minutes. @throws after ten minutes */
  async slow<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const client = await this.client();
    await client.query(`SET LOCAL statement_timeout = ${SLOW_MS}`);
    const statement = { text: sql, values: [...parameters], query_timeout: SLOW_MS };
    const { rows } = await client.query<Row & QueryResultRow>(statement as QueryConfig);
    return rows;
  }

  /**
   * Inserts rows with COPY.
   * @param target table and columns, such as `clicks (id, clicked_at)`
   * @param valuesOf maps a row to its values, in column order
   * @throws pg's error; the transaction is then aborted, except inside `attempt`
   */
  async copy<Row>(
    target: string,
    rows: readonly Row[],
    valuesOf: (row: Row) => readonly CopyValue[],
  ): Promise<void> {
    await copyRows((await this.client()) as Client, target, rows, valuesOf);
  }

  /**
   * Runs `work` in a savepoint: an error undoes its changes and callbacks, is rethrown, and leaves the
   * transaction usable. Attempts may be nested or run one after the other, not concurrently.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const callbacks = this.callbacks.length;
    await this.query('SAVEPOINT attempt');
    let result: T;
    try {
      result = await work();
    } catch (error) {
      this.callbacks.length = callbacks;
      await this.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
      throw error;
    }
    await this.query('RELEASE SAVEPOINT attempt');
    return result;
  }

  /** Registers a callback that runs after the commit only, such as a cache invalidation or wake-up. */
  afterCommit(callback: () => void | Promise<void>): void {
    this.callbacks.push(callback);
  }

  async committed(): Promise<void> {
    for (const callback of this.callbacks) await callback();
  }

  private async client(): Promise<ClientBase> {
    const { queryRunner } = this.manager;
    if (!queryRunner) throw new Error('The entity manager belongs to no transaction');
    return (await queryRunner.connect()) as ClientBase;
  }
}
