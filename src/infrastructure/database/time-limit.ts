import { Client, type ClientConfig } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { withDeadline } from '../../common/deadline';

const NO_ANSWER = 'Query read timeout';

/** Chooses the server of connections, and closes them when another server is chosen. */
export interface ServerChoice {
  readonly url: string;
  add(client: Client): void;
}

export interface TimelyClientConfig extends ClientConfig {
  /** False runs prepared statements without a name, for poolers that run them on another connection. */
  prepared?: boolean;
  /** Overrides the server of the connection string. */
  primary?: ServerChoice;
}

/**
 * A client that closes its connection if a query times out. pg alone returns it to the pool, where its next user would
 * wait behind the old query or run inside the old transaction.
 */
export class TimelyClient extends Client {
  constructor({ prepared = true, primary, ...config }: TimelyClientConfig = {}) {
    super(primary ? { ...config, connectionString: primary.url } : config);
    primary?.add(this);
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((statement: unknown, ...given: unknown[]) => {
      const answer = query(prepared ? statement : withoutName(statement), ...given);
      if (answer instanceof Promise) {
        answer.catch((error: unknown) => {
          if (error instanceof Error && error.message === NO_ANSWER) void this.end();
        });
      }
      return answer;
    }) as Client['query'];
  }
}

function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
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

/** Runs a small statement that must not wait for a hanging server. @throws after `milliseconds` */
export function queryWithin<Row>(
  dataSource: DataSource,
  milliseconds: number,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  return within(dataSource, milliseconds, (runner) => runner.query(sql, [...parameters]) as Promise<Row[]>);
}

/** Identifies a transaction on the server: by its backend and its start, as a connection runs several. */
interface Begun {
  pid: number;
  startedAt: string;
}

/**
 * Transactions with a time limit. If this process freezes, the server aborts them and releases their locks. If a
 * connection is lost during a COPY, the server may wait for its rows for ever, so the next transaction terminates the
 * lost one (docs/adr/0051-lost-connections-are-ended-by-the-next-transaction.md).
 */
export class TimedTransactions {
  private lost: Begun[] = [];

  constructor(private readonly dataSource: DataSource) {}

  run<T>(milliseconds: number, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return within(this.dataSource, milliseconds, async (runner) => {
      await this.endLost(runner);
      await runner.startTransaction();
      let begun: Begun | undefined;
      try {
        [begun] = (await runner.query(BEGUN, [String(milliseconds)])) as [Begun];
        const result = await work(runner.manager);
        await runner.commitTransaction();
        return result;
      } catch (error) {
        await runner.rollbackTransaction().catch(() => {
          if (begun) this.lost.push(begun);
        });
        throw error;
      }
    });
  }

  private async endLost(runner: QueryRunner): Promise<void> {
    if (this.lost.length === 0) return;
    const { lost } = this;
    this.lost = [];
    try {
      await runner.query(END_LOST, [lost.map(({ pid }) => pid), lost.map(({ startedAt }) => startedAt)]);
    } catch (error) {
      this.lost.push(...lost);
      throw error;
    }
  }
}

const BEGUN = `
  SELECT pg_backend_pid() AS pid, now()::text AS "startedAt",
         set_config('idle_in_transaction_session_timeout', $1, true)`;

/** Waits at most a second for each to end. */
const END_LOST = `
  SELECT pg_terminate_backend(a.pid, 1000)
    FROM unnest($1::int[], $2::timestamptz[]) AS lost (pid, started_at)
    JOIN pg_stat_activity AS a ON a.pid = lost.pid AND a.xact_start = lost.started_at`;
