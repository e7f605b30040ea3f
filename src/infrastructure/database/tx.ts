import type { Client, ClientBase, QueryConfig, QueryResultRow } from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { type CopyValue, copyRows } from './copy-rows';

/** A statement that every connection parses and plans once. */
export interface PreparedStatement {
  /** Unique in the service. */
  name: string;
  text: string;
}

/** Limit of `slow`, for statements over millions of rows that only a schedule waits for. */
const SLOW_MS = 600_000;

/** One running transaction. */
export class Tx {
  private readonly callbacks: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /** Runs one statement in this transaction. `Row` is the shape of a row that it returns. */
  async query<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const client = await this.client();
    const { rows } = await client.query<Row & QueryResultRow>(sql, [...parameters]);
    return rows;
  }

  /** Runs one INSERT, UPDATE or DELETE in this transaction. @returns rows affected */
  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const client = await this.client();
    const { rowCount } = await client.query(sql, [...parameters]);
    return rowCount ?? 0;
  }

  /** Runs one prepared statement in this transaction. */
  async hot<Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]> {
    const client = await this.client();
    const { rows } = await client.query<Row & QueryResultRow>({ ...statement, values: [...values] });
    return rows;
  }

  /** Runs one statement that may take minutes. @throws when it has not ended within ten */
  async slow<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const client = await this.client();
    await client.query(`SET LOCAL statement_timeout = ${SLOW_MS}`);
    const statement = { text: sql, values: [...parameters], query_timeout: SLOW_MS };
    const { rows } = await client.query<Row & QueryResultRow>(statement as QueryConfig);
    return rows;
  }

  /**
   * Adds rows to a table by COPY.
   * @param target table and columns, as in `clicks (id, clicked_at)`
   * @param valuesOf a row's values, in the order of the columns
   * @throws pg's own error; the transaction is aborted then, except inside `attempt`
   */
  async copy<Row>(
    target: string,
    rows: readonly Row[],
    valuesOf: (row: Row) => readonly CopyValue[],
  ): Promise<void> {
    await copyRows((await this.client()) as Client, target, rows, valuesOf);
  }

  /**
   * Runs `work` behind a savepoint: what throws undoes its own changes and callbacks, is thrown on, and leaves the
   * transaction usable. One at a time, inside each other or in turn.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const callbacks = this.callbacks.length;
    await this.query('SAVEPOINT attempt');
    try {
      const result = await work();
      await this.query('RELEASE SAVEPOINT attempt');
      return result;
    } catch (error) {
      this.callbacks.length = callbacks;
      await this.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
      throw error;
    }
  }

  /** Registers what may only happen once the change is committed, such as cache invalidation and wake-ups. */
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
