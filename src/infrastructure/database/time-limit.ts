import { Client } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { withDeadline } from '../../common/deadline';

const NO_ANSWER = 'Query read timeout';

/**
 * A connection that is closed when an answer does not come in time. pg alone gives it back to the pool as it is: its
 * next user waits behind the old query or, where that was part of a transaction, works inside of it.
 */
export class TimelyClient extends Client {
  constructor(...config: ConstructorParameters<typeof Client>) {
    super(...config);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      const answer = query(...given);
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (error instanceof Error && error.message === NO_ANSWER) void this.end();
        });
      }
      return answer;
    }) as Client['query'];
  }
}

/**
 * Runs `work` on one connection, and closes that connection when it has not ended in time: the server hangs, or the
 * network has forgotten the connection without a word. What the work changed may be kept or not.
 *
 * @throws what the work throws, DeadlineExceeded when no connection was to be had in time
 */
async function within<T>(
  dataSource: DataSource,
  milliseconds: number,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const connecting = runner.connect() as Promise<Client>;
  const client = await withDeadline(connecting, milliseconds).catch((error: unknown) => {
    void connecting.then(
      () => runner.release(),
      () => undefined,
    );
    throw error;
  });
  const limit = setTimeout(() => void client.end(), milliseconds);
  try {
    return await work(runner);
  } finally {
    clearTimeout(limit);
    await runner.release();
  }
}

/** A statement by itself, of those that take milliseconds: who waits for it can try again. */
const PROMPT_MS = 3_000;

/** Runs a small statement that must not wait for a server that hangs. @throws when it has not ended in 3 s */
export function promptQuery<Row>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return within(dataSource, PROMPT_MS, (runner) => runner.query(sql, [...parameters]) as Promise<Row[]>);
}

/**
 * Runs `work` in a transaction that ends in time, one way or the other. Of a process that stands still meanwhile,
 * the server takes the locks away.
 */
export function transactionWithin<T>(
  dataSource: DataSource,
  milliseconds: number,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return within(dataSource, milliseconds, async (runner) => {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL idle_in_transaction_session_timeout = ${milliseconds}`);
      const result = await work(runner.manager);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  });
}
