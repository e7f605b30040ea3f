import { randomBytes } from 'node:crypto';
import { chown, open, readFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClusterUser } from './child-process';

/** The `code` of a system or Postgres error, for example `ENOENT` or `28P01`. */
export function codeOf(error: unknown): string | undefined {
  // Not instanceof: in Jest, system errors belong to another realm.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Replaces a file atomically, with mode 0600. Once this resolves, the change survives a power cut. */
export async function writePrivate(path: string, text: string, owner?: ClusterUser): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(beside, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (owner) await chown(beside, owner.uid, owner.gid);
  await rename(beside, path);
  await syncFolder(dirname(path));
}

/** Makes renames and new files in a folder durable, where the platform supports it. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle | undefined;
  try {
    folder = await open(path, 'r');
    await folder.sync();
  } catch {
    // Windows cannot open folders, and some network file systems cannot sync them.
  } finally {
    await folder?.close();
  }
}
