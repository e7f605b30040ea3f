import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, type ClusterUser } from './child-process';

const NAME = 'postgres';

/**
 * The user to run the server as; undefined for the current one. Postgres refuses to run as root, so root runs it as the
 * owner of an existing cluster, else as `postgres` (created if absent), else as `nobody`.
 */
export async function clusterUser(cluster: string): Promise<ClusterUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user =
    (await ownerOf(cluster)) ?? (await lookUp(NAME)) ?? (await create()) ?? (await lookUp('nobody'));
  if (user) return user;
  throw new Error(
    'Postgres refuses to run as root, and there is no user "postgres" or "nobody" to run it as',
  );
}

async function ownerOf(cluster: string): Promise<ClusterUser | undefined> {
  const owner = await stat(cluster).catch(() => undefined);
  return owner && owner.uid !== 0
    ? { name: `with uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
    : undefined;
}

async function lookUp(name: string): Promise<ClusterUser | undefined> {
  const [uid, gid] = await Promise.all([
    run(undefined, 'id', ['-u', name]),
    run(undefined, 'id', ['-g', name]),
  ]);
  return uid.ok && gid.ok ? { name, uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

async function create(): Promise<ClusterUser | undefined> {
  // Both commands fail while another process holds the lock of the password file.
  for (let attempt = 0; attempt < 3; attempt++) {
    await run(undefined, 'groupadd', ['--system', NAME]);
    const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
    await run(undefined, 'useradd', ['--system', '--gid', NAME, ...home, NAME]);
    const user = await lookUp(NAME);
    if (user) return user;
    await sleep(200);
  }
  return undefined;
}

/** Whether the user can enter a folder. Asks the system, because modes do not show ACLs and mount options. */
export async function canEnter(user: ClusterUser, folder: string): Promise<boolean> {
  return (await run(user, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])).ok;
}
