import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { RunnableConfig } from '../infrastructure/runnable-config';
import type { Application } from '../server/application';
import { withDeadline } from '../common/deadline';
import { LOGGER } from '../common/logging/logger';
import { packageVersion } from '../common/package-version';
import type { Config } from '../config/config';
import { makeConsoleToken, readCredentials } from './credentials';
import { connectDataSource } from '../infrastructure/database/data-source';
import { type DatabaseAddress, directly } from '../infrastructure/database/database-address';
import { migrate } from '../infrastructure/database/migrate';
import { ProcessLock } from '../infrastructure/database/process-lock';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../infrastructure/embedded-postgres/embedded-postgres';
import { storedKeys } from '../infrastructure/encryption/stored-keys';
import { findDatabase } from './find-database';
import { ensureDemo, introduce } from './introduction';
import { ownsDataDir, preflight } from './preflight';
import { reportRedis } from './redis-report';
import { holdDataDir } from './running-instance';
import { AlreadyRunning, databaseProblem, listenProblem, printProblem } from './start-problems';

/** Time for kept-alive connections to receive a last request. */
const KEEP_ALIVE_GRACE_MS = 1_000;
/** Time limit for flushing and closing, so that a hanging store cannot block the exit. */
const CLOSE_LIMIT_MS = 2_500;
/** Time limit for sending the last spans. */
const TRACES_LIMIT_MS = 1_000;
/** Limit from a stop signal to the exit, which docs/operations.md#stopping promises within 10 s. */
const EXIT_LIMIT_MS = 9_500;

export interface PreparedStart {
  readonly config: RunnableConfig;
  /** Whether the database is the embedded one. */
  readonly isEmbedded: boolean;
  readonly stopping: AbortSignal;
}

export interface StartOptions {
  /**
   * Called with migrated stores before the application is created; must end early when the signal aborts.
   * @returns whether it created the Demo organization
   */
  prepare?: (start: PreparedStart) => Promise<{ createdDemo: boolean }>;
  /** Called once the service listens, if the database is a configured one. */
  listening?: (application: Application) => Promise<void>;
}

/** Starts stores, application and listeners. Never resolves: a stop exits the process. */
export async function runService(config: Config, options: StartOptions = {}): Promise<void> {
  await preflight(config);
  // Registered first, so that a stop during the start stops what has been started.
  const stopping = new AbortController();
  const stopRequested = stopSignal();
  void stopRequested.then(() => {
    stopping.abort();
    setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
  });
  if (ownsDataDir(config) && !(await holdDataDir(config.dataDir, config.baseUrl))) {
    throw new AlreadyRunning(config.dataDir);
  }
  const tracing = await startTracing(config);
  if (config.redisUrl) await reportRedis(config.redisUrl);

  const stores = await startStores(config, stopping.signal).catch((error: unknown) => {
    // Ctrl-C also reaches initdb, which then fails.
    if (stopping.signal.aborted) process.exit();
    throw error;
  });
  if (stopping.signal.aborted) {
    await stores.stop();
    process.exit();
  }
  const start = async () => {
    const runnable = await runnableConfig(config, stores);
    const prepared = await options.prepare?.({
      config: runnable,
      isEmbedded: config.databaseUrl === undefined,
      stopping: stopping.signal,
    });
    if (stopping.signal.aborted) {
      await stores.stop();
      process.exit();
    }
    // Imported late: it takes most of the start-up time, and problems should be reported at once.
    const { Application } = await import('../server/application.js');
    return { application: await Application.create(runnable), runnable, prepared };
  };
  const { application, runnable, prepared } = await start().catch(async (error: unknown) => {
    await stores.stop();
    throw error;
  });
  try {
    const { operations } = config;
    if (operations) {
      await application.listenOperations(operations.hosts, operations.port).catch((error: unknown) => {
        throw listenProblem(error, 'OPERATIONS_');
      });
    }
    const port = await application.listen(config.listenHosts, config.port).catch((error: unknown) => {
      throw listenProblem(error);
    });
    if (config.databaseUrl) {
      logReady(application, config, port);
      await options.listening?.(application);
    } else await introduceDemo(application, runnable, prepared?.createdDemo ?? false);
  } catch (error) {
    await stop(application, stores);
    throw error;
  }
  await stopRequested;
  await application.drain(KEEP_ALIVE_GRACE_MS);
  await stop(application, stores);
  await withDeadline(tracing?.stop() ?? Promise.resolve(), TRACES_LIMIT_MS).catch(() => undefined);
  process.exit();
}

function logReady({ nest }: Application, { role, redisUrl }: Config, port: number): void {
  const stores = redisUrl === undefined ? ['Postgres'] : ['Postgres', 'Redis'];
  nest
    .get<Logger>(LOGGER, { strict: false })
    .info({ version: packageVersion(), role, port, stores }, 'ready');
}

/** OpenTelemetry is imported only if it is used. @returns null without OTEL_EXPORTER_OTLP_ENDPOINT */
async function startTracing({ tracing }: Config): Promise<{ stop(): Promise<void> } | null> {
  if (tracing === null) return null;
  const { startTracing: start } = await import('./tracing.js');
  return start(tracing);
}

/**
 * Resolves with the first stop signal. Later ones are ignored, because a stop may send several: npm forwards a signal
 * that the terminal has already sent to all processes, and a closing terminal sends SIGHUP.
 */
function stopSignal(): Promise<void> {
  // A closed output must not end the process, which would leave Postgres running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** Adds the encryption keys and the console token that are stored beside an embedded database. */
async function runnableConfig(config: Config, { database }: Stores): Promise<RunnableConfig> {
  const consoleToken = config.consoleToken ?? (await storedConsoleToken(config));
  const encryptionKeys = config.encryptionKeys ?? (await storedKeys(config.dataDir));
  return { ...config, consoleToken, encryptionKeys, database };
}

/** @param isNew whether this start has already created the Demo organization */
async function introduceDemo(
  { demoOrganization }: Application,
  config: RunnableConfig,
  isNew: boolean,
): Promise<void> {
  if (config.consoleToken === undefined) return;
  const { credentials, created } = await ensureDemo(demoOrganization, config, config.consoleToken);
  await introduce(demoOrganization, config, { credentials, first: created || isNew });
}

interface Stores {
  database: DatabaseAddress;
  stop(): Promise<void>;
}

/** @param stopping ends the start after the current step */
async function startStores(config: Config, stopping: AbortSignal): Promise<Stores> {
  const embedded: EmbeddedPostgres | null = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: resolve(config.dataDir) });
  const lost = (error: Error) => {
    printProblem(error);
    process.exit(1);
  };
  let lock: ProcessLock | undefined;
  const stop = async () => {
    await lock?.release();
    await embedded?.stop();
  };
  try {
    const database = embedded ? directly(embedded.url) : await findDatabase(config.databaseUrl ?? '', config);
    if (stopping.aborted) return { database, stop };
    const named = (error: unknown) => {
      throw databaseProblem(error, config);
    };
    lock = await ProcessLock.acquire(database.direct, config.redisUrl === undefined, lost).catch(named);
    const dataSource = await connectDataSource(database.direct, 2).catch(named);
    await migrate(dataSource).finally(() => dataSource.destroy());
    return { database, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Every response is durable by now: if this is interrupted, the remaining clicks are counted after the next start. */
async function stop(application: Application, stores: Stores): Promise<void> {
  await withDeadline(application.close(), CLOSE_LIMIT_MS).catch(() => undefined);
  await stores.stop();
}

/** The console token, stored or new, with an embedded database; undefined with a configured one. */
async function storedConsoleToken(config: Config): Promise<string | undefined> {
  if (config.databaseUrl) return undefined;
  return (await readCredentials(config.dataDir))?.consoleToken ?? makeConsoleToken();
}
