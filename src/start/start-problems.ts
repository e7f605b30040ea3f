import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../config/config';
import { InvalidConfiguration } from '../config/invalid-configuration';
import { ForeignSchema, NotTheOwner, PostgresTooOld } from '../infrastructure/database/migrate';
import { NoPrimary } from '../infrastructure/database/primary';
import { DatabaseInUse } from '../infrastructure/database/process-lock';

/** The setting that is wrong, by the error code of listening. */
const LISTEN_SETTINGS: Partial<Record<string, 'PORT' | 'HOST'>> = {
  EADDRINUSE: 'PORT',
  EACCES: 'PORT',
  EADDRNOTAVAIL: 'HOST',
  ENOTFOUND: 'HOST',
};

export class AlreadyRunning extends Error {
  /** @param url of the other process, if known */
  constructor(dataDir: string, url?: string) {
    const where = url ? `, at ${url}` : '';
    super(`DATA_DIR: Waypost is already running on ${resolve(dataDir)}${where}`);
  }
}

/**
 * Checks the data folder. Needed even with an external database: clicks are spooled there during an outage of both
 * stores. @throws InvalidConfiguration
 */
export async function checkDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new InvalidConfiguration(`DATA_DIR: ${reasonOf(error)}`);
  }
}

/** Names the setting behind an error of a direct connection to the database. */
export function databaseProblem(
  error: unknown,
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
): unknown {
  if (error instanceof DatabaseInUse) return error;
  const name = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  return new InvalidConfiguration(`${name}: ${reasonOf(error)}`);
}

/**
 * Names the setting behind an error of listening.
 * @param of prefix of the setting's name
 */
export function listenProblem(error: unknown, of: '' | 'OPERATIONS_' = ''): unknown {
  const name = LISTEN_SETTINGS[(error as NodeJS.ErrnoException).code ?? ''];
  return name ? new InvalidConfiguration(`${of}${name}: ${reasonOf(error)}`) : error;
}

/** Prints why the service cannot start, with a stack only for internal errors. */
export function printProblem(error: unknown): void {
  const expected = [
    InvalidConfiguration,
    DatabaseInUse,
    ForeignSchema,
    NotTheOwner,
    PostgresTooOld,
    AlreadyRunning,
  ].some((kind) => error instanceof kind);
  const stack = !expected && error instanceof Error ? error.stack : undefined;
  process.stderr.write(`Waypost cannot start.\n${stack ?? reasonOf(error)}\n`);
}

/**
 * The message of an error, or of its causes: connection errors of a name with several addresses have none of their own.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NoPrimary)
    return `none of the servers takes writes (${error.errors.map(reasonOf).join('; ')})`;
  return error.message || ((error as NodeJS.ErrnoException).code ?? error.name);
}
