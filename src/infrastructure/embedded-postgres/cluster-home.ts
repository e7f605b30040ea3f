import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterUser } from './child-process';
import { canEnter, clusterUser } from './cluster-user';
import { exists, readIfExists, writePrivate } from './files';

/** Where one cluster lives, and whom it belongs to. */
export interface ClusterHome {
  /** The folder that holds the cluster and, where they had to be copied, the binaries. */
  folder: string;
  /** Postgres's own data directory. */
  cluster: string;
  user: ClusterUser | undefined;
}

const SHARED_PLACE = '/var/lib/waypost';

/**
 * The home of the cluster of a data folder: the data folder itself, or, when the cluster's user can't enter
 * that, a folder of its own under /var/lib/waypost which the file `postgres-location` names.
 */
export async function clusterHome(dataDir: string): Promise<ClusterHome> {
  const pointer = join(dataDir, 'postgres-location');
  const location = (await readIfExists(pointer))?.trim();
  if (location && !(await exists(location))) {
    throw new Error(`${location}, which ${pointer} names, is missing: restore it, or delete ${pointer}`);
  }
  const home = homeAt(location ?? dataDir);
  const user = await clusterUser(home.cluster);
  if (!user || (await canEnter(user, home.folder))) return { ...home, user };
  if (location || (await exists(home.cluster))) {
    throw new Error(`The user ${user.name}, who runs Postgres, can't enter ${home.folder}`);
  }
  const elsewhere = join(SHARED_PLACE, randomBytes(8).toString('hex'));
  for (const folder of [SHARED_PLACE, elsewhere]) {
    // chmod besides: a strict umask would keep the user out of here too.
    if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
  }
  if (!(await canEnter(user, elsewhere))) {
    throw new Error(
      `The user ${user.name}, who runs Postgres, can enter neither ${dataDir} nor ${elsewhere}`,
    );
  }
  await writePrivate(pointer, `${elsewhere}\n`);
  return { ...homeAt(elsewhere), user };
}

function homeAt(folder: string): Omit<ClusterHome, 'user'> {
  return { folder, cluster: join(folder, 'postgres') };
}
