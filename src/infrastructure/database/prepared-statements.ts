import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Transactions, type Tx } from './transactions';

export interface PreparedStatement {
  /** Unique in the service. */
  name: string;
  text: string;
}

/**
 * Statements that every connection parses and plans once, sent straight to the pool: for the few calls that clients
 * make most. (A PgBouncer in between must be 1.21 or later.)
 */
@Injectable()
export class PreparedStatements {
  private readonly pool: Pool;

  constructor(
    dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
  }

  /** Runs one statement: in `tx` or the transaction that encloses the caller, else as a transaction by itself. */
  async run<Row>(
    statement: PreparedStatement,
    values: readonly unknown[],
    tx: Tx | undefined = this.transactions.current,
  ): Promise<Row[]> {
    if (tx) return this.runIn<Row>(tx.manager, statement, values);
    const { rows } = await this.pool.query({ ...statement, values: [...values] });
    return rows as Row[];
  }

  /** Runs one statement in the transaction of this manager. */
  async runIn<Row>(
    { queryRunner }: EntityManager,
    statement: PreparedStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (!queryRunner) throw new Error('The manager is that of no transaction');
    const client = (await queryRunner.connect()) as ClientBase;
    const { rows } = await client.query({ ...statement, values: [...values] });
    return rows as Row[];
  }
}
