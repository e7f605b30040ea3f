import { Client } from 'pg';

/** The migrated database from which all others of a run are cloned. */
export const TEMPLATE = 'wp_template';

/** URLs of a database on the nodes of the run's Postgres: one, or with TEST_CITUS the coordinator and its workers. */
export function nodesOf(database: string): string[] {
  const { TEST_POSTGRES_URL: server, TEST_CITUS_WORKERS: workers = '' } = process.env;
  if (!server) throw new Error('TEST_POSTGRES_URL is set by test/support/global-setup.ts');
  return [server, ...workers.split(',').filter((url) => url !== '')].map((node) => {
    const url = new URL(node);
    url.pathname = `/${database}`;
    return url.href;
  });
}

/** Runs statements in a database on all nodes at the same time. */
export async function onEachNode(database: string, ...statements: string[]): Promise<void> {
  await Promise.all(nodesOf(database).map((url) => onNode(url, ...statements)));
}

/** Runs statements, each in its own transaction. */
export async function onNode(url: string, ...statements: string[]): Promise<void> {
  // Not a DataSource, which would load every entity and migration.
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Whether a statement in the database is waiting for a lock, on any node.
 * @param url of the database on the first node
 * @param like pattern of the statement
 */
export async function isAnyWaiting(url: string, like = '%'): Promise<boolean> {
  const database = new URL(url).pathname.slice(1);
  const waiting = await Promise.all(
    nodesOf(database).map(async (node) => {
      const client = new Client({ connectionString: node });
      await client.connect();
      const { rowCount } = await client
        .query(
          `SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [like],
        )
        .finally(() => client.end());
      return rowCount !== 0;
    }),
  );
  return waiting.includes(true);
}

/** Clones the template; shards and their metadata are files of each node. @returns the URL of the clone */
export async function cloneTemplate(name: string): Promise<string> {
  await onEachNode('postgres', `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  const [url = ''] = nodesOf(name);
  dropLater(name);
  return url;
}

/** With TEST_CITUS, has test/jest/environment.cjs drop a database on each node after the suite. */
export function dropLater(name: string): void {
  const shared = globalThis as { __WAYPOST_TEST_DATABASES__?: string[] };
  (shared.__WAYPOST_TEST_DATABASES__ ??= []).push(name);
}
