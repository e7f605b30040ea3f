import { AsyncResource } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { TestApp } from './test-app';

/** Makes something happen between two statements of an answer, which the application sends one by one meanwhile. */
export class StatementGate {
  private last: Promise<unknown> = Promise.resolve();
  private happen: (() => PromiseLike<unknown>) | null = null;
  private left = 0;

  constructor(app: TestApp) {
    const watched = new WeakSet<PoolClient>();
    const pool = (app.get(DataSource).driver as PostgresDriver).master as Pool;
    pool.on('acquire', (client) => {
      if (!watched.has(client)) this.watch(client);
      watched.add(client);
    });
  }

  /**
   * Asks the application, and lets something happen in another one after the given number of statements.
   * @returns the answer; null if it took fewer statements
   */
  async ask<T>(
    statements: number,
    { ask, happen }: { ask: () => Promise<T>; happen: () => PromiseLike<unknown> },
  ): Promise<T | null> {
    this.left = statements;
    // Not in the context of the transaction between whose statements it happens.
    this.happen = AsyncResource.bind(happen);
    const answer = await ask();
    // A statement of something else may have been the last one.
    await this.last;
    this.happen = null;
    return this.left > 0 ? null : answer;
  }

  private watch(client: PoolClient): void {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const isStream = typeof (given[0] as { submit?: unknown }).submit === 'function';
      if (this.happen === null || isStream) return query(...given);
      const callback = given.at(-1);
      if (typeof callback !== 'function') return this.pass(() => query(...given));
      const answered = callback as (error: unknown, result?: unknown) => void;
      const passed = this.pass(() => query(...given.slice(0, -1)));
      return void passed.then((result) => answered(null, result), answered);
    }) as PoolClient['query'];
  }

  private pass(send: () => unknown): Promise<unknown> {
    const answered = this.last.then(send).then(async (result) => {
      if (--this.left === 0) await this.happen?.();
      return result;
    });
    this.last = answered.catch(() => undefined);
    return answered;
  }
}
