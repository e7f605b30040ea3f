import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Database } from '../../src/infrastructure/database/database';
import type { Tx } from '../../src/infrastructure/database/tx';

const inTransaction = new AsyncLocalStorage<true>();

/**
 * Makes a transaction fail that asks the pool for a second connection: it would have the first all the while, and as
 * many such as the pool has connections would wait for each other. Those around a whole request are let be: they leave
 * half of the pool to others.
 */
export function oneConnectionEach(dataSource: DataSource, database: Database): void {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  pool.connect = ((...given: unknown[]) => {
    if (inTransaction.getStore()) throw new Error('A transaction asks for a second connection');
    return connect(...given);
  }) as Pool['connect'];
  const write = database.write.bind(database);
  database.write = <T>(work: (tx: Tx) => Promise<T>) =>
    database.current ? write(work) : write((tx) => inTransaction.run(true, () => work(tx)));
}

/** What a test itself does there, beside the transaction. */
export function besideTransaction<T>(work: () => T): T {
  return inTransaction.exit(work);
}
