import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Type } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { RunnableConfig } from '../../src/app.module';
import { Application } from '../../src/application';
import { readConfig } from '../../src/config/config';
import { Database } from '../../src/infrastructure/database/database';
import { besideTransaction, oneConnectionEach } from './one-connection';
import { TestClock } from './test-clock';

export const API_HOST = 'api.waypost.test';
export const SHORT_HOST = 'go.waypost.test';
export const CONSOLE_TOKEN = 'console-token-of-the-test-run';
/** ENCRYPTION_KEYS for tests. */
export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 'encryption key of the tests').toString('base64')}`;

export interface TestAppOptions {
  /** Default true; false runs a single process without Redis. */
  redis?: boolean;
  /** Settings beyond the test defaults, by environment variable. */
  env?: Record<string, string>;
  /** The database of another test app, for a second process. */
  database?: TestDatabase;
  /** Additional modules, with routes that test rules common to all routes. */
  modules?: Type[];
  /** Destination of log lines; LOG_LEVEL must allow some. */
  logTo?: { write(line: string): void };
}

export interface TestDatabase {
  url: string;
  redisPrefix: string;
}

/** The real application on its own database (a clone of the migrated template) and its own Redis key prefix. */
export class TestApp {
  private constructor(
    private readonly application: Application,
    /** Origin of the server; tests select a host with the Host header. */
    readonly url: string,
    readonly clock: TestClock,
    readonly database: TestDatabase,
    readonly config: RunnableConfig,
  ) {}

  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const database = options.database ?? (await createTestDatabase());
    const dataDir = mkdtempSync(join(resolve(__dirname, '../.tmp'), 'app-'));
    const config = readConfig({
      NODE_ENV: 'test',
      BASE_URL: `http://${API_HOST}`,
      SHORT_URL_BASE: `http://${SHORT_HOST}`,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      LOG_LEVEL: 'silent',
      OUTBOUND_ALLOW_PRIVATE: 'true',
      // Never fetch pages of real hosts.
      OG_FETCH: 'false',
      // Nothing listens there, so that no test queries the machine's resolvers.
      DNS_SERVERS: '127.0.0.1:9',
      TRUST_PROXY: 'loopback',
      REDIS_PREFIX: database.redisPrefix,
      ...(options.redis !== false && { REDIS_URL: process.env.TEST_REDIS_URL }),
      ...options.env,
    });
    const clock = new TestClock();
    const { encryptionKeys = [] } = config;
    const runnable = { ...config, encryptionKeys, databaseUrl: database.url };
    const application = await Application.create(runnable, {
      clock,
      counting: true,
      modules: options.modules,
      logTo: options.logTo,
    });
    oneConnectionEach(application.nest.get(DataSource), application.nest.get(Database));
    const port = await application.listen(config.listenHosts, 0);
    return new TestApp(application, `http://127.0.0.1:${port}`, clock, database, runnable);
  }

  /** Resolves a provider from the application's container. */
  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.application.nest.get<T>(token, { strict: false });
  }

  /** Runs one SQL statement on the application's database. */
  sql<Row = Record<string, unknown>>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return besideTransaction(() => this.get(DataSource).query<Row[]>(statement, parameters));
  }

  close(): Promise<void> {
    return this.application.close();
  }
}

/** Clones a new database from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('TEST_POSTGRES_URL is set by test/support/global-setup.ts');
  const name = `wp_test_${randomBytes(6).toString('hex')}`;
  // Not a DataSource, which would load every entity and migration.
  const admin = new Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE wp_template`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, redisPrefix: name };
}
