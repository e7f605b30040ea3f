import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InvalidConfiguration } from '../config/config';
import { PostgresTooOld } from '../infrastructure/database/migrate';
import { DatabaseInUse } from '../infrastructure/database/process-lock';

const LISTEN_SETTINGS: Partial<Record<string, string>> = {
  EADDRINUSE: 'PORT',
  EACCES: 'PORT',
  EADDRNOTAVAIL: 'HOST',
  ENOTFOUND: 'HOST',
};

/** This machine has no such address, or no IPv6 at all. */
export const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Another process holds the data folder, and the embedded Postgres in it. */
export class AlreadyRunning extends Error {
  /** @param url where the other process listens, if it says so */
  constructor(dataDir: string, url?: string) {
    const where = url ? `, at ${url}` : '';
    super(`DATA_DIR: Waypost already runs on ${resolve(dataDir)}${where}`);
  }
}

/** Also with a database that is given: clicks go there while no store takes them. @throws InvalidConfiguration */
export async function checkDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new InvalidConfiguration(`DATA_DIR: ${reasonOf(error)}`);
  }
}

/** A database that can't be reached or refuses us, under the name of its setting. */
export function databaseProblem(error: unknown): unknown {
  return error instanceof DatabaseInUse
    ? error
    : new InvalidConfiguration(`DATABASE_URL: ${reasonOf(error)}`);
}

/** An address or a port that can't be listened on, under the name of its setting. */
export function listenProblem(error: unknown): unknown {
  const name = LISTEN_SETTINGS[(error as NodeJS.ErrnoException).code ?? ''];
  return name ? new InvalidConfiguration(`${name}: ${reasonOf(error)}`) : error;
}

/** Says what stops a start; the stack only where it is a fault of the service. */
export function printProblem(error: unknown): void {
  const expected = [InvalidConfiguration, DatabaseInUse, PostgresTooOld, AlreadyRunning].some(
    (kind) => error instanceof kind,
  );
  const stack = !expected && error instanceof Error ? error.stack : undefined;
  process.stderr.write(`Waypost can't start.\n${stack ?? reasonOf(error)}\n`);
}

/** Errors of connecting to a name with several addresses have no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}
