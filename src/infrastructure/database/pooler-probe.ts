import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { TimelyClient } from './time-limit';

const TIMEOUT_MS = 3_000;
/** A busy pooler may give a client the same connection several times in a row. */
const ROUNDS = 10;
/** SQLSTATE invalid_sql_statement_name: the pooler did not carry the prepared statement over. */
const NOT_CARRIED = '26000';

export interface Probed {
  /** Identifies the database; a replica has the identifier of its primary. */
  readonly database: string;
  readonly pooled: boolean;
  /** Whether the pooler carries named prepared statements from one server connection to another. */
  readonly named: boolean;
  /** The role of the connection in Postgres, which a pooler may choose. */
  readonly role: string;
  readonly standby: boolean;
  readonly citus: boolean;
  /** The statement timeout of connections that do not set one, in milliseconds; 0 is none. */
  readonly statementTimeout: number;
  readonly idleInTransactionTimeout: number;
}

/** Connects twice to find out what is behind a URL. @throws pg's error */
export async function probe(url: string): Promise<Probed> {
  const clients = [connect(url), connect(url)] as const;
  try {
    const [a, b] = await Promise.all(clients);
    const { rows } = await a.query<Omit<Probed, 'pooled' | 'named'>>(WHAT);
    const [found] = rows;
    if (!found) throw new Error('The database did not answer');
    const pooled = await isPooled(a, b);
    return { ...found, pooled, named: !pooled || (await carriesNames(a, b)) };
  } finally {
    for (const client of clients) void client.then((each) => each.end()).catch(() => undefined);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new TimelyClient({
    connectionString: url,
    application_name: 'waypost probe',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Whether statements may run on a backend other than the one announced at the connection. */
async function isPooled(a: Client, b: Client): Promise<boolean> {
  for (let i = 0; i < ROUNDS; i++) {
    for (const client of [a, b]) {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (rows[0]?.pid !== (client as Client & { processID: number }).processID) return true;
    }
  }
  return false;
}

async function carriesNames(a: Client, b: Client): Promise<boolean> {
  // Unique, because a pooler's connections keep the statements of clients that have disconnected.
  const name = `waypost probe ${randomUUID()}`;
  const run = () => a.query({ name, text: 'SELECT 1' });
  try {
    for (let i = 0; i < ROUNDS; i++) {
      await run();
      // While the other client uses its connection, this one gets another.
      await Promise.all([b.query('SELECT pg_sleep(0.02)'), run()]);
    }
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === NOT_CARRIED) return false;
    throw error;
  }
}

const WHAT = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS database,
         current_user AS role,
         pg_is_in_recovery() AS standby,
         EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus,
         (SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout') AS "statementTimeout",
         (SELECT setting::int FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout')
           AS "idleInTransactionTimeout"`;
