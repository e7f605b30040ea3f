import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { PgBouncer } from './pgbouncer';
import { startPostgres15 } from './postgres-15';
import { startTestRedis } from './redis';
import { POSTGRES_SETTINGS, startTestPostgres, temporaryFolder, type TestServer } from './servers';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';

const BUILD_SDK = resolve(__dirname, '../../src/modules/sdk-web/browser/build.mjs');

/** One Postgres with a migrated template database and one Redis for the whole run; builds the browser SDK. */
export default async function globalSetup(): Promise<void> {
  execFileSync(process.execPath, [BUILD_SDK], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [postgres, redis] = await Promise.all([startPostgres(), startTestRedis()]);
  const pooler = process.env.TEST_POOLER === 'pgbouncer' ? await startPooler(postgres.url) : undefined;
  const servers = [pooler, redis, postgres].filter((server) => server !== undefined);
  Object.assign(globalThis, { __WAYPOST_TEST_SERVERS__: servers });
  process.env.TEST_LEFT_OUT = join(temporaryFolder('left-out'), 'needs');
  process.env.TEST_POSTGRES_URL = postgres.url;
  if (redis) process.env.TEST_REDIS_URL = redis.url;
  if (pooler) process.env.TEST_POOLER_URL = pooler.through(postgres.url);

  const admin = await connectDataSource({ url: postgres.url }, 2);
  await admin.query('DROP DATABASE IF EXISTS wp_template WITH (FORCE)');
  await admin.query('CREATE DATABASE wp_template');
  await admin.destroy();
  const template = await connectDataSource({ url: databaseUrl(postgres.url, 'wp_template') }, 2);
  await migrate(template);
  await template.destroy();
}

function startPostgres(): Promise<TestServer> {
  return process.env.TEST_POSTGRES === '15' ? startPostgres15(POSTGRES_SETTINGS) : startTestPostgres();
}

/** Each suite has a database, and each database a pool: idle connections are closed before they add up. */
function startPooler(server: string): Promise<PgBouncer> {
  return PgBouncer.start(server, { server_idle_timeout: '5', min_pool_size: '0' });
}

function databaseUrl(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.href;
}
