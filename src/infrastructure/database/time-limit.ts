import { Client } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { withDeadline } from '../../common/deadline';

const NO_ANSWER = 'Query read timeout';

/**
 * A connection that closes if a query times out. pg alone returns it to the pool: its next user would wait
 * behind the old query, or run inside the old transaction.
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
 * Runs `work` on one connection, and closes that connection on a timeout: the server may hang, or the network
 * may have dropped the connection silently. The changes of `work` may or may not have been committed.
 *
 * @throws the error of `work`, or DeadlineExceeded if no connection was available in time
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

/** Timeout of a statement that normally takes milliseconds and that callers can retry. */
const PROMPT_TIMEOUT_MS = 3_000;

/** Runs a small statement that must not wait for a hanging server. @throws after 3 s */
export function promptQuery<Row>(
  dataSource: DataSource,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return within(
    dataSource,
    PROMPT_TIMEOUT_MS,
    (runner) => runner.query(sql, [...parameters]) as Promise<Row[]>,
  );
}

/**
 * Runs `work` in a transaction with a time limit. If this process freezes, the server aborts the transaction
 * and releases its locks.
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
