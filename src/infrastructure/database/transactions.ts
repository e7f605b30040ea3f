import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';

/** One running transaction. */
export class Tx {
  private readonly callbacks: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /** Runs one statement in this transaction. `Row` is the shape of a row that it returns. */
  query<Row = unknown>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return this.manager.query<Row[]>(sql, parameters as unknown[]);
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

  /** What may only happen once the change is kept: cache invalidation, doorbells. Awaited after the commit. */
  afterCommit(callback: () => void | Promise<void>): void {
    this.callbacks.push(callback);
  }

  async committed(): Promise<void> {
    for (const callback of this.callbacks) await callback();
  }
}

/** Runs changes in transactions. */
@Injectable()
export class Transactions {
  private readonly enclosing = new AsyncLocalStorage<Tx>();
  private enclosures = 0;

  constructor(private readonly dataSource: DataSource) {}

  /** The transaction that encloses the caller, if any. */
  get current(): Tx | undefined {
    return this.enclosing.getStore();
  }

  /** Runs `work` in one transaction; what throws rolls all of it back. Inside of `enclose` it joins that one. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.current ? work(this.current) : this.transact(work);
  }

  /**
   * Runs `work` in one transaction that every `run` inside of it joins, so that what several of them change is one
   * commit (an Idempotency-Key's answer is kept with its change).
   */
  async enclose<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.enclosures++;
    try {
      return await this.transact((tx) => this.enclosing.run(tx, () => work(tx)));
    } finally {
      // While it is enabled, Node follows every promise of the process: redirects would pay for it.
      if (--this.enclosures === 0) this.enclosing.disable();
    }
  }

  private async transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    let tx: Tx | undefined;
    const result = await this.dataSource.transaction((manager) => work((tx = new Tx(manager))));
    await tx?.committed();
    return result;
  }
}
