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
import { promptQuery, TimedTransactions } from './time-limit';
import { type PreparedStatement, Tx } from './tx';

/** Connections of `lookup`. Each is held for one lookup by key, and never while anything else is awaited. */
const LOOKUP_CONNECTIONS = 3;
/** Connections of `session`, opened on use. */
const SESSION_CONNECTIONS = 20;

/** A pool and its use at the moment, in connections; `waiting` counts requests for one. */
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
    // The lock of a job is a transaction that is idle until the job ends.
    const patient = { idleInTransaction: 0 };
    this.sessionPool = this.addPool('sessions', address.direct, { max: SESSION_CONNECTIONS }, patient);
    if (replica) this.ownPools.set('reports', replica.pool);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...[...this.ownPools.values()].map((pool) => pool.end()), this.replica?.close()]);
  }

  /** The pools of this process. */
  pools(): PoolUse[] {
    return [['main', this.pool] as const, ...this.ownPools].map(([name, pool]) => ({
      name,
      size: pool.options.max,
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }));
  }

  /** Number of reports that are queued behind others of their organization. */
  get waitingReports(): number {
    return this.turns.queued;
  }

  /**
   * A connection of its own, which keeps its few statements prepared and waits for no other work.
   * @param name unique, such as `journal`
   */
  ownConnection(name: string, limits: PoolConfig = {}): OwnConnection {
    return new OwnConnection(this.addPool(name, this.address.main, { ...limits, max: 1 }));
  }

  /** Calls `listener` after another server has become the primary. It may lack the last commits of the one before. */
  onPrimaryChange(listener: () => void): void {
    this.address.main.primary?.onChange(listener);
  }

  /** Names of the migrations in this version. */
  get migrationNames(): string[] {
    return this.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  }

  /** The transaction opened by an enclosing `enclose`, if any. */
  get current(): Tx | undefined {
    return this.enclosing.getStore();
  }

  /** The repository of an entity in the enclosing transaction, if any, whose own changes it sees; else by itself. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.current?.repository(entity) ?? this.dataSource.getRepository(entity);
  }

  /** Runs a statement by itself. `Row` is the shape of its rows. */
  async read<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Row & QueryResultRow>(sql, [...parameters]);
    return rows;
  }

  /** Runs a statement that returns a single row, such as a count. @throws if it returns none */
  async single<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row> {
    const [row] = await this.read<Row>(sql, parameters);
    if (row === undefined) throw new Error('The statement returned no row');
    return row;
  }

  /** Runs a small statement by itself. @throws after 3 s, and closes its connection */
  prompt<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return promptQuery<Row>(this.dataSource, sql, parameters);
  }

  /** Runs an INSERT, UPDATE or DELETE by itself. @returns the number of affected rows */
  async execute(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.pool.query(sql, [...parameters]);
    return rowCount ?? 0;
  }

  /**
   * Runs a prepared statement, for the most frequent calls: in `tx` or the enclosing transaction, else by itself. Behind
   * a pooler that does not carry prepared statements, Postgres plans it anew each time.
   */
  async hot<Row>(
    statement: PreparedStatement,
    values: readonly unknown[],
    tx: Tx | undefined = this.current,
  ): Promise<Row[]> {
    if (tx) return tx.hot<Row>(statement, values);
    const { rows } = await this.pool.query<Row & QueryResultRow>({ ...statement, values: [...values] });
    return rows;
  }

  /**
   * Reads committed rows by key on dedicated connections, which caches load through: inside a transaction a
   * second connection of the main pool could deadlock, and redirects must not queue behind the API.
   */
  async lookup<Row extends QueryResultRow>(
    statement: string | PreparedStatement,
    parameters: readonly unknown[],
  ): Promise<Row[]> {
    const query = typeof statement === 'string' ? { text: statement } : statement;
    const { rows } = await this.lookupPool.query<Row>({ ...query, values: [...parameters] });
    return rows;
  }

  /** Runs a statement over millions of rows in its own transaction, for up to ten minutes. */
  slow<Row = unknown>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.transact((tx) => tx.slow<Row>(sql, parameters));
  }

  /**
   * Runs `work` in a read-only transaction, all of whose statements see the snapshot of the first one, so that the
   * figures of one answer agree.
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
   * `snapshot` for lists and statistics, on a replica if it shows what the organization has written. Reports of an
   * organization hold at most half of a pool, and further ones wait. `work` may run twice, changes nothing, and runs no
   * report itself.
   */
  report<T>(organizationId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inTurn(
      organizationId,
      () => this.snapshot(work),
      (client) => this.snapshotOn(client, work),
    );
  }

  /** `read` for lists, statistics and exports, as `report` does. */
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

  /** Call it after the commit and before the answer: reports show the organization what it has written by now. */
  async wrote(organizationId: number): Promise<void> {
    await this.replica?.wrote(organizationId);
  }

  /**
   * Runs `work` in a transaction and rolls it back on an error. Given a transaction, or inside `enclose`, it joins that
   * one.
   */
  async write<T>(work: (tx: Tx) => Promise<T>, tx: Tx | undefined = this.current): Promise<T> {
    return tx ? work(tx) : this.transact(work);
  }

  /**
   * Runs `work` in a transaction with a time limit, after which its locks are released even if this process is frozen or
   * its connection is lost.
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
   * Runs `work` on a connection outside the pool, for a lock that outlives the transactions of `work`: in the pool,
   * as many as it has connections would starve them. An error closes the connection.
   */
  async session<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await this.sessionPool.connect();
    let broken = false;
    // The pool listens to idle connections only: without this listener, losing the connection would end the
    // process.
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
    // The enclosing transaction would hold its connection while it waits.
    if (this.current) return onPrimary();
    return this.turns.run(organizationId, async () => {
      const read = await this.replica?.read(organizationId, onReplica);
      return read ? read.value : onPrimary();
    });
  }

  private async snapshotOn<T>(client: ClientBase, work: (tx: Tx) => Promise<T>): Promise<T> {
    // TypeORM has no way to a connection of another pool than its own.
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
