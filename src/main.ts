import { resolve } from 'node:path';
import type { RunnableConfig } from './app.module';
import type { Application } from './application';
import { withDeadline } from './common/deadline';
import { keepTickShape } from './runtime/tick-shape';
import { type Config, readConfig } from './config/config';
import { type Credentials, credentialsPath, makeConsoleToken, readCredentials } from './credentials';
import { welcome, writeCredentials } from './credentials';
import { connectDataSource } from './infrastructure/database/data-source';
import { migrate } from './infrastructure/database/migrate';
import { ProcessLock } from './infrastructure/database/process-lock';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './infrastructure/embedded-postgres/embedded-postgres';
import { keptKeys } from './infrastructure/encryption/kept-keys';
import { ownsDataDir, preflight } from './start/preflight';
import { reportRedis } from './start/redis-report';
import { holdDataDir } from './start/running-instance';
import { AlreadyRunning, databaseProblem, listenProblem, printProblem } from './start/start-problems';

/** Connections that are kept alive get so long to carry their last request. */
const KEEP_ALIVE_GRACE_MS = 1_000;
/** Flushing and closing may take so long; a store that hangs must not hold up the end. */
const CLOSE_LIMIT_MS = 2_500;
/** docs/operations.md#stopping: exit within 10 s. */
const EXIT_LIMIT_MS = 9_500;

/** Settings → stores → application → listen. */
async function main(): Promise<void> {
  keepTickShape();
  const config = readConfig(process.env);
  await preflight(config);
  // From the first moment on: what has been started by then is stopped, not left behind.
  const stopping = new AbortController();
  const told = stopSignal();
  void told.then(() => {
    stopping.abort();
    setTimeout(() => process.exit(), EXIT_LIMIT_MS).unref();
  });
  if (ownsDataDir(config) && !(await holdDataDir(config.dataDir, config.baseUrl))) {
    throw new AlreadyRunning(config.dataDir);
  }
  if (config.redisUrl) await reportRedis(config.redisUrl);

  const stores = await startStores(config, stopping.signal).catch((error: unknown) => {
    // A Ctrl-C reaches initdb too, which then fails.
    if (stopping.signal.aborted) process.exit();
    throw error;
  });
  if (stopping.signal.aborted) {
    await stores.stop();
    process.exit();
  }
  const { application, consoleToken } = await compose(config, stores).catch(async (error: unknown) => {
    await stores.stop();
    throw error;
  });
  try {
    await application.listen(config.listenHosts, config.port).catch((error: unknown) => {
      throw listenProblem(error);
    });
    if (!config.databaseUrl && consoleToken) await introduce(application, config, consoleToken);
  } catch (error) {
    await stop(application, stores);
    throw error;
  }
  await told;
  await application.drain(KEEP_ALIVE_GRACE_MS);
  await stop(application, stores);
  process.exit();
}

/**
 * Resolves with the first signal to stop. The others change nothing, since one stop may come as several: npm passes on
 * what the terminal has already sent to everybody, and a terminal that closes hangs up.
 */
function stopSignal(): Promise<void> {
  // Output that nobody reads any more is no reason to leave Postgres behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

/** The application, with what the embedded default keeps for it. */
async function compose(config: Config, { databaseUrl }: Stores) {
  const consoleToken = config.consoleToken ?? (await madeConsoleToken(config));
  const encryptionKeys = config.encryptionKeys ?? (await keptKeys(config.dataDir));
  const runnable: RunnableConfig = { ...config, consoleToken, encryptionKeys, databaseUrl };
  // Not before: loading it is most of a start, and what can't start is to say so at once.
  const { Application } = await import('./application.js');
  return { application: await Application.create(runnable), consoleToken };
}

interface Stores {
  databaseUrl: string;
  stop(): Promise<void>;
}

/** @param stopping ends the start after the step that runs, so that a stop does not wait for all of it */
async function startStores(config: Config, stopping: AbortSignal): Promise<Stores> {
  const embedded: EmbeddedPostgres | null = config.databaseUrl
    ? null
    : await startEmbeddedPostgres({ dataDir: resolve(config.dataDir) });
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? '';
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
    if (stopping.aborted) return { databaseUrl, stop };
    lock = await ProcessLock.acquire(databaseUrl, config.redisUrl === undefined, lost).catch(
      (error: unknown) => {
        throw databaseProblem(error);
      },
    );
    const dataSource = await connectDataSource(databaseUrl, 2);
    await migrate(dataSource).finally(() => dataSource.destroy());
    return { databaseUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What has been answered is kept by now: cut off here, it is counted after the next start. */
async function stop(application: Application, stores: Stores): Promise<void> {
  await withDeadline(application.close(), CLOSE_LIMIT_MS).catch(() => undefined);
  await stores.stop();
}

/** With an embedded database, the token of an earlier start or a new one; with one that is given, none is made. */
async function madeConsoleToken(config: Config): Promise<string | undefined> {
  if (config.databaseUrl) return undefined;
  return (await readCredentials(config.dataDir))?.consoleToken ?? makeConsoleToken();
}

/** Makes the Demo organization on the first start, keeps its credentials, and says where everything is. */
async function introduce(application: Application, config: Config, consoleToken: string): Promise<void> {
  const known = await readCredentials(config.dataDir);
  const credentials: Credentials = {
    baseUrl: config.baseUrl,
    shortUrlBase: config.shortUrlBase,
    docsUrl: `${config.baseUrl}/api/docs`,
    consoleToken,
    organizationId: known?.organizationId ?? null,
    apiKey: known?.apiKey ?? null,
  };
  const made = await application.demoOrganization.ensure((demo) => {
    Object.assign(credentials, demo);
    // Before the commit: a key that nobody kept would be lost for good.
    return writeCredentials(config.dataDir, credentials);
  });
  if (!made) await writeCredentials(config.dataDir, credentials);
  process.stdout.write(welcome(credentials, credentialsPath(config.dataDir), made !== null));
}

main().catch((error: unknown) => {
  printProblem(error);
  process.exitCode = 1;
});
