import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnAs } from './child-process';
import type { ClusterHome } from './cluster-home';
import { exists, readIfExists, syncFolder, writePrivate } from './files';
import type { ServerLog } from './server-log';

/** Name of the superuser and of the application's database. */
export const NAME = 'waypost';

const PARTIAL = 'postgres-init-';

/** Whether the cluster exists. @throws if the folder contains anything else */
export async function clusterExists({ cluster }: ClusterHome): Promise<boolean> {
  if (await exists(join(cluster, 'PG_VERSION'))) return true;
  const entries = await readdir(cluster).catch(() => []);
  if (entries.length > 0) throw new Error(`${cluster} holds something that is not a Postgres data directory`);
  return false;
}

/** The superuser's password from `<dataDir>/postgres-password`, created if there is no cluster yet. */
export async function clusterPassword(dataDir: string, home: ClusterHome): Promise<string> {
  const path = join(dataDir, 'postgres-password');
  const stored = (await readIfExists(path))?.trim();
  if (stored) return stored;
  if (await clusterExists(home)) {
    throw new Error(
      `${path}, the password of the database in ${home.cluster}, is missing: restore it from a backup`,
    );
  }
  const password = randomBytes(32).toString('base64url');
  await writePrivate(path, `${password}\n`);
  return password;
}

/** Creates the cluster in a temporary folder and renames it, so that the final folder is always complete. */
export async function createCluster(
  home: ClusterHome,
  initdb: string,
  password: string,
  log: ServerLog,
  sync: boolean,
): Promise<void> {
  await removeUnfinished(home.folder);
  const partial = join(home.folder, `${PARTIAL}${randomBytes(6).toString('hex')}`);
  const passwordFile = `${partial}.password`;
  try {
    await mkdir(partial, { mode: 0o700 });
    if (home.user) await chown(partial, home.user.uid, home.user.gid);
    await writePrivate(passwordFile, `${password}\n`, home.user);
    await runInitdb(home, initdb, initdbOptions(partial, passwordFile, sync), log);
    await rename(partial, home.cluster);
    await syncFolder(home.folder);
  } finally {
    await removeUnfinished(home.folder);
  }
}

function initdbOptions(folder: string, passwordFile: string, sync: boolean): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${NAME}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // lower() and ILIKE support Unicode, sort order is by bytes, and neither depends on the machine.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(sync ? [] : ['--no-sync']),
  ];
}

async function runInitdb(home: ClusterHome, file: string, args: string[], log: ServerLog): Promise<void> {
  await log.mark();
  const failure = await new Promise<string | undefined>((resolve) => {
    const child = spawnAs({ user: home.user, file, args, stdio: ['ignore', log.fd, log.fd] });
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
  if (failure) throw new Error(`initdb failed: ${failure}\n${await log.tail()}`);
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    // An initdb whose parent was killed may still be writing here; the next start removes it then.
    if (name.startsWith(PARTIAL)) {
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
