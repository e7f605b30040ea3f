import { join } from 'node:path';
import { CitusCluster, createDistributedDatabase } from './citus';
import { migrateDatabase } from './migrate-database';
import { PgBouncer } from './pgbouncer';
import { startPostgres15 } from './postgres-15';
import { startTestRedis } from './redis';
import { POSTGRES_SETTINGS, startTestPostgres, temporaryFolder, type TestServer } from './servers';
import { nodesOf, onEachNode, TEMPLATE } from './test-databases';

/** One Postgres with a migrated template database and one Redis for the whole run. */
export default async function globalSetup(): Promise<void> {
  const [postgres, redis] = await Promise.all([startPostgres(), startTestRedis()]);
  const pooler = process.env.TEST_POOLER === 'pgbouncer' ? await startPooler(postgres.url) : undefined;
  const servers = [pooler, redis, postgres].filter((server) => server !== undefined);
  Object.assign(globalThis, { __WAYPOST_TEST_SERVERS__: servers });
  process.env.TEST_LEFT_OUT = join(temporaryFolder('left-out'), 'needs');
  process.env.TEST_POSTGRES_URL = postgres.url;
  if (redis) process.env.TEST_REDIS_URL = redis.url;
  if (pooler) process.env.TEST_POOLER_URL = pooler.through(postgres.url);
  if (postgres instanceof CitusCluster) await createDistributedTemplate(postgres);
  else await createTemplate();
}

async function createTemplate(): Promise<void> {
  await onEachNode(
    'postgres',
    `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`,
    `CREATE DATABASE ${TEMPLATE}`,
  );
  const [url = ''] = nodesOf(TEMPLATE);
  await migrateDatabase(url);
}

async function createDistributedTemplate(cluster: CitusCluster): Promise<void> {
  process.env.TEST_CITUS_WORKERS = cluster.workers.join(',');
  process.env.TEST_CITUS_PROGRAMS = cluster.programs;
  await createDistributedDatabase(TEMPLATE);
  // A template must have no connections, and the daemon of Citus would reconnect.
  await onEachNode(
    'postgres',
    `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`,
  );
}

function startPostgres(): Promise<TestServer> {
  if (process.env.TEST_CITUS === '1') return CitusCluster.start(POSTGRES_SETTINGS);
  return process.env.TEST_POSTGRES === '15' ? startPostgres15(POSTGRES_SETTINGS) : startTestPostgres();
}

/** Each suite has a database, and each database a pool, so idle connections are closed before they accumulate. */
function startPooler(server: string): Promise<PgBouncer> {
  return PgBouncer.start(server, { server_idle_timeout: '5', min_pool_size: '0' });
}
