import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { Database, type Tx } from '../../src/infrastructure/database/database';

const inTransaction = new AsyncLocalStorage<true>();

/**
 * Makes a transaction fail if it takes a second connection from the pool: as many such transactions as the pool has
 * connections would deadlock. Transactions around a whole request are exempt, because they are limited to half of the
 * pool.
 */
export function oneConnectionEach(dataSource: DataSource, database: Database): void {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  const connect = pool.connect.bind(pool) as (...given: unknown[]) => unknown;
  pool.connect = ((...given: unknown[]) => {
    if (inTransaction.getStore()) throw new Error('A transaction takes a second connection');
    return connect(...given);
  }) as Pool['connect'];
  const write = database.write.bind(database);
  database.write = <T>(work: (tx: Tx) => Promise<T>, given = database.current) =>
    given ? write(work, given) : write((tx) => inTransaction.run(true, () => work(tx)));
  const snapshot = database.snapshot.bind(database);
  database.snapshot = (work) => snapshot((tx) => inTransaction.run(true, () => work(tx)));
}

/** Exempts the test's own statements beside a transaction. */
export function besideTransaction<T>(work: () => T): T {
  return inTransaction.exit(work);
}
