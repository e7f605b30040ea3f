import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { startTestPostgres, startTestRedis, temporaryFolder } from './servers';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { migrate } from '../../src/infrastructure/database/migrate';

const BUILD_SDK = resolve(__dirname, '../../src/modules/sdk-web/browser/build.mjs');

/** One Postgres with a migrated template database and one Redis for the whole run; builds the browser SDK. */
export default async function globalSetup(): Promise<void> {
  execFileSync(process.execPath, [BUILD_SDK], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()]);
  Object.assign(globalThis, { __WAYPOST_TEST_SERVERS__: redis ? [postgres, redis] : [postgres] });
  process.env.TEST_LEFT_OUT = join(temporaryFolder('left-out'), 'needs');
  process.env.TEST_POSTGRES_URL = postgres.url;
  if (redis) process.env.TEST_REDIS_URL = redis.url;

  const admin = await connectDataSource({ url: postgres.url }, 2);
  await admin.query('DROP DATABASE IF EXISTS wp_template WITH (FORCE)');
  await admin.query('CREATE DATABASE wp_template');
  await admin.destroy();
  const template = await connectDataSource({ url: databaseUrl(postgres.url, 'wp_template') }, 2);
  await migrate(template);
  await template.destroy();
}

function databaseUrl(url: string, name: string): string {
  const result = new URL(url);
  result.pathname = `/${name}`;
  return result.href;
}
