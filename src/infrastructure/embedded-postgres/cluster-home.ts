import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterUser } from './child-process';
import { canEnter, clusterUser } from './cluster-user';
import { exists, readIfExists, writePrivate } from './files';

export interface ClusterHome {
  /** Contains the cluster and, if they had to be copied, the binaries. */
  folder: string;
  /** Postgres's own data directory. */
  cluster: string;
  user: ClusterUser | undefined;
}

const SHARED_FOLDER = '/var/lib/waypost';

/**
 * The home of the cluster of a data folder: the data folder itself or, if the cluster's user cannot enter it, a folder
 * under /var/lib/waypost, whose path the file `postgres-location` contains.
 */
export async function clusterHome(dataDir: string): Promise<ClusterHome> {
  const pointer = join(dataDir, 'postgres-location');
  const location = (await readIfExists(pointer))?.trim();
  if (location && !(await exists(location))) {
    throw new Error(`${location}, named in ${pointer}, is missing: restore it, or delete ${pointer}`);
  }
  const home = homeAt(location ?? dataDir);
  const user = await clusterUser(home.cluster);
  if (!user || (await canEnter(user, home.folder))) return { ...home, user };
  if (location || (await exists(home.cluster))) {
    throw new Error(`The user ${user.name}, who runs Postgres, cannot enter ${home.folder}`);
  }
  const elsewhere = join(SHARED_FOLDER, randomBytes(8).toString('hex'));
  for (const folder of [SHARED_FOLDER, elsewhere]) {
    // chmod as well: a strict umask would lock the user out.
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
