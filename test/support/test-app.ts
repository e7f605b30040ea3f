import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import type { RunnableConfig } from '../../src/infrastructure/runnable-config';
import { Application } from '../../src/server/application';
import { SCRYPT } from '../../src/access/console/password';
import { readConfig } from '../../src/config/config';
import { Database } from '../../src/infrastructure/database/database';
import {
  CONNECTION,
  type DatabaseAddress,
  directly,
} from '../../src/infrastructure/database/database-address';
import { InvalidationBus } from '../../src/infrastructure/caching/invalidation-bus';
import { RedisStore } from '../../src/infrastructure/redis/redis';
import { besideTransaction, oneConnectionEach } from './one-connection';
import { sharedRedisUrl } from './servers';
import { cloneTemplate } from './test-databases';
import { TestClock } from './test-clock';

export const API_HOST = 'api.waypost.test';
export const SHORT_HOST = 'go.waypost.test';
export const CONSOLE_TOKEN = 'console-token-of-the-test-run';
/** ENCRYPTION_KEYS for tests. */
export const ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 'encryption key of the tests').toString('base64')}`;

// A busy machine may pause for longer than the service's three seconds, and fail every wait for a connection.
CONNECTION.connectionTimeoutMillis = 60_000;
/** Cheap cost of scrypt, which is slow by design. */
export const QUICK_HASH = { log2N: 4, r: 8, p: 1 };
SCRYPT.cost = QUICK_HASH;

export interface TestAppOptions {
  /** False runs a single process without Redis, true requires Redis; by default, Redis is used if installed. */
  redis?: boolean;
  /** Settings beyond the test defaults, by environment variable. */
  env?: Record<string, string>;
  /** The database of another test app, for a second process, which requires Redis. */
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

interface StartedApp {
  application: Application;
  url: string;
  operationsUrl: string | null;
  database: TestDatabase;
  config: RunnableConfig;
}

/** The real application on its own database (a clone of the migrated template) and its own Redis key prefix. */
export class TestApp {
  readonly clock = new TestClock();
  private started?: StartedApp;

  /** Starts an application that the caller must close; `useTestApp` closes its own. */
  static async start(options: TestAppOptions = {}): Promise<TestApp> {
    const app = new TestApp();
    await app.start(options);
    return app;
  }

  /** The origin it listens on; tests choose the host with the Host header. */
  get url(): string {
    return this.running.url;
  }

  /** Origin of OPERATIONS_PORT. */
  get operationsUrl(): string {
    const { operationsUrl } = this.running;
    if (operationsUrl === null) throw new Error('Set OPERATIONS_PORT to 0');
    return operationsUrl;
  }

  get database(): TestDatabase {
    return this.running.database;
  }

  get config(): RunnableConfig {
    return this.running.config;
  }

  /** Resolves a provider from the application's container. */
  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.running.application.nest.get<T>(token, { strict: false });
  }

  /** Runs one SQL statement on the application's database. */
  sql<Row = Record<string, unknown>>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    return besideTransaction(() => this.get(DataSource).query<Row[]>(statement, parameters));
  }

  /** `sql` for changes of rows that redirects read; clears all caches. */
  async alter(statement: string, parameters: unknown[] = []): Promise<void> {
    await this.sql(statement, parameters);
    const [redis, bus] = [this.get(RedisStore), this.get(InvalidationBus)];
    for (const name of ['links', 'campaigns', 'apps', 'domains']) {
      for (const { redis: server } of redis['servers']?.all() ?? []) {
        const copies = await server.keys(redis.copyKey(name, '*'));
        await Promise.all(copies.map((copy) => server.del(copy)));
      }
      bus['deliver'](name, null);
    }
  }

  async start(options: TestAppOptions): Promise<void> {
    const database = options.database ?? (await createTestDatabase());
    const dataDir = mkdtempSync(join(resolve(__dirname, '../.tmp'), 'app-'));
    const settings = readConfig({
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
      // No requests to real hosts.
      OG_FETCH: 'false',
      LINK_HEALTH: 'false',
      // Nothing listens there, so that tests never query the machine's resolvers.
      DNS_SERVERS: '127.0.0.1:9',
      TRUST_PROXY: 'loopback',
      REDIS_PREFIX: database.redisPrefix,
      ...redisSetting(options),
      ...options.env,
    });
    const { encryptionKeys = [] } = settings;
    const config = { ...settings, encryptionKeys, database: addressOf(database.url) };
    const application = await Application.create(config, {
      clock: this.clock,
      counting: true,
      modules: options.modules,
      logTo: options.logTo,
    });
    oneConnectionEach(application.nest.get(DataSource), application.nest.get(Database));
    const port = await application.listen(config.listenHosts, 0);
    const { operations } = config;
    const operationsUrl =
      operations &&
      `http://127.0.0.1:${await application.listenOperations(operations.hosts, operations.port)}`;
    await stopTimers(application.nest);
    this.started = { application, url: `http://127.0.0.1:${port}`, operationsUrl, database, config };
  }

  /** Drains the application as after a stop signal; `close` must follow. */
  async drain(): Promise<void> {
    await this.running.application.drain();
  }

  async close(): Promise<void> {
    await this.started?.application.close();
  }

  private get running(): StartedApp {
    if (!this.started) throw new Error('The application starts in beforeAll');
    return this.started;
  }
}

/** Stops timers of a minute or more, because tests run these jobs explicitly. */
async function stopTimers(nest: INestApplicationContext): Promise<void> {
  for (const job of nest.get(SchedulerRegistry, { strict: false }).getCronJobs().values()) {
    const fields = String(job.cronTime.source).split(' ').length;
    if (fields === 5) await job.stop();
  }
}

function redisSetting({ redis, database, env }: TestAppOptions): { REDIS_URL?: string } {
  if (redis === false || env?.REDIS_URL) return {};
  return { REDIS_URL: redis || database ? sharedRedisUrl() : process.env.TEST_REDIS_URL };
}

interface SuiteOptions extends TestAppOptions {
  /** Where the clock stands before the suite, and again before each test. */
  at?: Date | string;
}

/** The application of a suite, started before its tests and closed after them. Call it where hooks are declared. */
export function useTestApp(options: SuiteOptions | (() => TestAppOptions) = {}): TestApp {
  const app = new TestApp();
  const at = typeof options === 'function' ? undefined : options.at;
  beforeAll(() => app.start(typeof options === 'function' ? options() : options));
  if (at) for (const hook of [beforeAll, beforeEach]) hook(() => app.clock.set(at));
  afterAll(() => app.close());
  return app;
}

/**
 * An object that gets the fields and methods of what `make` makes, once before the tests of a suite. Call it where
 * hooks are declared. Not for what changes its own fields, which stay those that it had then.
 */
export function perSuite<T extends object>(make: () => Promise<T>): T {
  const made = {} as T;
  beforeAll(async () => become(made, await make()));
  return made;
}

/** `perSuite`, but made anew before each test. */
export function perTest<T extends object>(make: () => Promise<T>): T {
  const made = {} as T;
  beforeEach(async () => become(made, await make()));
  return made;
}

function become(made: object, value: object): void {
  Object.setPrototypeOf(Object.assign(made, value), Object.getPrototypeOf(value) as object);
}

/** The address of a test database, through PgBouncer with TEST_POOLER. */
function addressOf(url: string): DatabaseAddress {
  const { TEST_POOLER_URL: pooler, TEST_POSTGRES_URL: server = '' } = process.env;
  if (!pooler || new URL(url).host !== new URL(server).host) return directly(url);
  const main = new URL(url);
  main.port = new URL(pooler).port;
  return { main: { url: main.href, pooled: true, prepared: false }, direct: { url } };
}

/** Clones a new database from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `wp_test_${randomBytes(6).toString('hex')}`;
  return { url: await cloneTemplate(name), redisPrefix: name };
}
