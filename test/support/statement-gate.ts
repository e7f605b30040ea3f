import { AsyncResource } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import type { TestApp } from './test-app';

/** Sends the statements of a request one at a time, and commits a change between two of them. */
export class StatementGate {
  private last: Promise<unknown> = Promise.resolve();
  private change: (() => PromiseLike<unknown>) | null = null;
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
   * Sends a request.
   * @param statements number of statements after which `change` runs
   * @returns the response; null if there were fewer statements
   */
  async ask<T>(
    statements: number,
    { ask, change }: { ask: () => Promise<T>; change: () => PromiseLike<unknown> },
  ): Promise<T | null> {
    this.left = statements;
    // AsyncResource runs the change outside of the request's transaction.
    this.change = AsyncResource.bind(change);
    const answer = await ask();
    // The last statement may belong to a background task.
    await this.last;
    this.change = null;
    return this.left > 0 ? null : answer;
  }

  private watch(client: PoolClient): void {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      const isStream = typeof (given[0] as { submit?: unknown }).submit === 'function';
      if (this.change === null || isStream) return query(...given);
      const callback = given.at(-1);
      if (typeof callback !== 'function') return this.pass(() => query(...given));
      const answered = callback as (error: unknown, result?: unknown) => void;
      const passed = this.pass(() => query(...given.slice(0, -1)));
      return void passed.then((result) => answered(null, result), answered);
    }) as PoolClient['query'];
  }

  private pass(send: () => unknown): Promise<unknown> {
    const answered = this.last.then(send).then(async (result) => {
      if (--this.left === 0) await this.change?.();
      return result;
    });
    this.last = answered.catch(() => undefined);
    return answered;
  }
}
