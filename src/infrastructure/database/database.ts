import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { ClientBase, Pool, PoolConfig, QueryResultRow } from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral, type Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { FairSemaphore } from '../../common/fair-semaphore';
import { ownPool } from './data-source';
import {
  CONNECTION,
  DATABASE_ADDRESS,
  type DatabaseAddress,
  type Route,
  type SessionLimits,
} from './database-address';
import { OwnConnection } from './own-connection';
import { Replica } from './replica/replica';
import { queryWithin, TimedTransactions } from './time-limit';
import { type PreparedStatement, queryOf, Tx } from './tx';

export type { PreparedStatement, Tx } from './tx';

/** For `read`: statements that normally take milliseconds and that callers can retry. */
export const PROMPTLY = { within: 3_000 };

/** Connections of `lookup`. Each is held for one lookup by key, and nothing else is awaited meanwhile. */
const LOOKUP_CONNECTIONS = 3;
/** Connections of `session`, opened on use. */
const SESSION_CONNECTIONS = 20;

/** Use of a pool, in connections; `waiting` counts requests for one. */
export interface PoolUse {
  readonly name: string;
  readonly size: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/**
 * The only access to SQL: every statement outside a repository goes through here or through a transaction's
 * `Tx`.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly lookupPool: Pool;
  private readonly sessionPool: Pool;
  private readonly ownPools = new Map<string, Pool>();
  private readonly timed: TimedTransactions;
  private readonly turns: FairSemaphore;
  private readonly enclosing = new AsyncLocalStorage<Tx>();
  private enclosures = 0;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(DATABASE_ADDRESS) private readonly address: DatabaseAddress,
    /** Null without DATABASE_REPLICA_URL. */
    @Optional() @Inject(Replica) readonly replica: Replica | null = null,
  ) {
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
    this.timed = new TimedTransactions(dataSource);
    this.turns = new FairSemaphore(this.pool.options.max, CONNECTION.connectionTimeoutMillis);
    this.lookupPool = this.addPool('lookups', address.main, {
      max: LOOKUP_CONNECTIONS,
    });
    // The lock of a scheduled job is a transaction that stays idle until the job ends.
    const patient = { idleInTransaction: 0 };
    this.sessionPool = this.addPool('sessions', address.direct, { max: SESSION_CONNECTIONS }, patient);
    if (replica) this.ownPools.set('reports', replica.pool);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...[...this.ownPools.values()].map((pool) => pool.end()), this.replica?.close()]);
  }

  pools(): PoolUse[] {
    return [['main', this.pool] as const, ...this.ownPools].map(([name, pool]) => ({
      name,
      size: pool.options.max,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }));
  }

  /** Number of reports queued behind others of their organization. */
  get waitingReports(): number {
    return this.turns.queued;
  }

  /**
   * A dedicated connection, which keeps its few statements prepared and never waits for other work.
   * @param name unique, such as `journal`
   */
  ownConnection(name: string, limits: PoolConfig = {}): OwnConnection {
    return new OwnConnection(this.addPool(name, this.address.main, { ...limits, max: 1 }));
  }

  /** Calls `listener` after another server has become the primary; the last commits of its predecessor may be lost. */
  onPrimaryChange(listener: () => void): void {
    this.address.main.primary?.onChange(listener);
  }

  get migrationNames(): string[] {
    return this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }

  /** The transaction opened by an enclosing `enclose`, if any. */
  get current(): Tx | undefined {
    return this.enclosing.getStore();
  }

  /** The repository of an entity, in the enclosing transaction if there is one. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.current?.repository(entity) ?? this.dataSource.getRepository(entity);
  }

  /**
   * Runs a statement outside any transaction. `Row` is the shape of its rows.
   * @param limit `within`: milliseconds after which it fails and its connection is closed
   */
  async read<Row = unknown>(
    sql: string,
    parameters: readonly unknown[] = [],
    { within }: { within?: number } = {},
  ): Promise<Row[]> {
    if (within !== undefined) return queryWithin<Row>(this.dataSource, within, sql, parameters);
    const { rows } = await this.pool.query<Row & QueryResultRow>(sql, [...parameters]);
    return rows;
  }

  /** Runs a statement that returns exactly one row, such as a count. @throws if it returns none */
  async single<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.read<Row>(sql, parameters);
    if (row === undefined) throw new Error('The statement returned no row');
    return row;
  }

  /** Runs an INSERT, UPDATE or DELETE outside any transaction. @returns the number of affected rows */
  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.pool.query(sql, [...parameters]);
    return rowCount ?? 0;
  }

  /**
   * Runs a prepared statement, for the most frequent calls: in `tx` or the enclosing transaction if there is one.
   * Behind a pooler without named prepared statements, Postgres plans it anew each time.
   */
  async hot<Row>(
    statement: PreparedStatement,
    values: readonly unknown[],
    tx: Tx | undefined = this.current,
  ): Promise<Row[]> {
    if (tx) return tx.query<Row>(statement, values);
    const { rows } = await this.pool.query<Row & QueryResultRow>(queryOf(statement, values));
    return rows;
  }

  /**
   * Reads committed rows by key on dedicated connections, for caches: inside a transaction, a second connection of the
   * main pool could deadlock, and redirects must not queue behind the API.
   */
  async lookup<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    parameters: readonly unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.lookupPool.query<Row>(queryOf(statement, parameters));
    return rows;
  }

  /**
   * Runs `work` in a read-only transaction with a single snapshot, so that all figures of a response agree.
   * @throws inside `enclose`, whose transaction takes a new snapshot for each statement
   */
  async snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.current) throw new Error('A snapshot cannot join the enclosing transaction');
    return this.transact(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(tx);
    });
  }

  /**
   * `snapshot` for lists and statistics, on a replica if that has replayed the organization's writes. Reports of an
   * organization use at most half of a pool; further ones wait. `work` may run twice, so it must not change anything,
   * and it must not start another report.
   */
  report<T>(organizationId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTurn(
      organizationId,
      () => this.snapshot(work),
      (client) => this.snapshotOn(client, work),
    );
  }

  /** `read` for lists, statistics and exports, under the rules of `report`. */
  reportRows<Row = unknown>(
    organizationId: number,
    sql: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row[]> {
    return this.inTurn(
      organizationId,
      () => this.read<Row>(sql, parameters),
      async (client) => (await client.query<Row & QueryResultRow>(sql, [...parameters])).rows,
    );
  }

  /**
   * Makes reports include what the organization has written so far. Call it after the commit and before the response.
   */
  async wrote(organizationId: number): Promise<void> {
    await this.replica?.wrote(organizationId);
  }

  /** Runs `work` in a transaction, rolled back on an error; joins the given transaction or that of `enclose`. */
  async write<T>(work: (tx: Tx) => Promise<T>, tx: Tx | undefined = this.current): Promise<T> {
    return tx ? work(tx) : this.transact(work);
  }

  /**
   * Runs `work` in a transaction with a time limit, after which the server releases its locks even if this process is
   * frozen or its connection is lost.
   */
  async writeWithin<T>(milliseconds: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    let tx: Tx | undefined;
    const result = await this.timed.run(milliseconds, (manager) => work((tx = new Tx(manager))));
    await tx?.committed();
    return result;
  }

  /**
   * Runs `work` in a transaction that every nested `write` joins, so that several changes share one commit
   * (the response of an Idempotency-Key is stored with its change).
   */
  async enclose<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.enclosures++;
    try {
      return await this.transact((tx) => this.enclosing.run(tx, () => work(tx)));
    } finally {
      // An enabled AsyncLocalStorage tracks every promise of the process, which slows redirects down.
      if (--this.enclosures === 0) this.enclosing.disable();
    }
  }

  /**
   * Runs `work` on a connection outside the pool, for a lock that outlives the transactions of `work`: connections of
   * the pool that only hold locks could starve those transactions. An error closes the connection.
   */
  async session<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.sessionPool.connect();
    let broken = false;
    // The pool handles errors of idle connections only: without this listener, a lost connection would end the process.
    const onError = () => (broken = true);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      broken = true;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private addPool(name: string, route: Route, options: PoolConfig, limits?: SessionLimits): Pool {
    const pool = ownPool(route, { application_name: `waypost ${name}`, ...options }, limits);
    this.ownPools.set(name, pool);
    return pool;
  }

  private async inTurn<T>(
    organizationId: number,
    onPrimary: () => Promise<T>,
    onReplica: (client: ClientBase) => Promise<T>,
  ): Promise<T> {
    // Waiting for a turn would keep the enclosing transaction's connection busy.
    if (this.current) return onPrimary();
    return this.turns.run(organizationId, async () => {
      const read = await this.replica?.read(organizationId, onReplica);
      return read ? read.value : onPrimary();
    });
  }

  private async snapshotOn<T>(client: ClientBase, work: (tx: Tx) => Promise<T>): Promise<T> {
    // TypeORM offers no way to use a connection of another pool.
    const runner = Object.assign(this.dataSource.createQueryRunner(), { databaseConnection: client });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    try {
      return await work(new Tx(this.dataSource.createEntityManager(runner)));
    } finally {
      await client.query('COMMIT').catch(() => undefined);
    }
  }

  private async transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let tx: Tx | undefined;
    const result = await this.dataSource.transaction((manager) => work((tx = new Tx(manager))));
    await tx?.committed();
    return result;
  }
}
