import { createServer } from 'node:net';
import { type Config, InvalidConfiguration } from '../config/config';
import { runningInstance } from './running-instance';
import { AlreadyRunning, checkDataDir, listenProblem, NO_ADDRESS } from './start-problems';

/**
 * What can be known to fail before anything is started, built or migrated: settings that contradict each other, a data
 * folder that can't be written or is in use, a port that is taken.
 * @throws InvalidConfiguration naming the setting; AlreadyRunning
 */
export async function preflight(config: Config): Promise<void> {
  checkEncryptionKeys(config);
  await checkDataDir(config.dataDir);
  const running = ownsDataDir(config) ? await runningInstance(config.dataDir) : null;
  if (running !== null) throw new AlreadyRunning(config.dataDir, running);
  await checkPort(config);
}

/** Whether this process is the only one that may use its data folder: with stores of their own, several may. */
export function ownsDataDir({ databaseUrl, redisUrl }: Config): boolean {
  return databaseUrl === undefined && redisUrl === undefined;
}

/** Keys that are kept beside an embedded Postgres have no place beside one that others use too. */
function checkEncryptionKeys({ databaseUrl, encryptionKeys }: Config): void {
  if (!databaseUrl || encryptionKeys) return;
  throw new InvalidConfiguration(
    'ENCRYPTION_KEYS: must be set with DATABASE_URL, the same for all processes; k1:$(openssl rand -base64 32) makes one',
  );
}

/** Listens for a moment on every address of the settings that this machine has. */
async function checkPort({ listenHosts, port }: Config): Promise<void> {
  for (const [i, host] of listenHosts.entries()) {
    const server = createServer();
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, ipv6Only: host.includes(':') }, resolve);
      });
      await new Promise((resolve) => server.close(resolve));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (i === 0 || !NO_ADDRESS.includes(code)) throw listenProblem(error);
    }
  }
}
