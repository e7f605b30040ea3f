import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { EXIT, Failure, UsageError } from './exit';

export interface Credentials {
  url: string;
  apiKey: string;
}

/** Where `login` keeps what later commands need. */
export function configFile(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(folder, 'waypost', 'config.json');
}

/** From the environment, else from `login`. */
export async function credentials(): Promise<Credentials> {
  const stored = await storedCredentials();
  const url = process.env.WAYPOST_URL || stored?.url;
  const apiKey = process.env.WAYPOST_API_KEY || stored?.apiKey;
  if (url && apiKey) {
    // A stored key belongs to its service, and is not sent to another.
    if (!process.env.WAYPOST_API_KEY && stored && serviceUrl(url) !== stored.url) {
      throw new Failure('Set WAYPOST_API_KEY too: the stored key is for another URL', EXIT.unauthorized);
    }
    return { url: serviceUrl(url), apiKey };
  }
  throw new Failure(
    'Not logged in. Run `waypost login`, or set WAYPOST_URL and WAYPOST_API_KEY',
    EXIT.unauthorized,
  );
}

export async function storeCredentials(value: Credentials): Promise<void> {
  const file = configFile();
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** @returns whether there were any */
export async function forgetCredentials(): Promise<boolean> {
  const stored = await storedCredentials();
  await rm(configFile(), { force: true });
  return stored !== null;
}

/** An origin, or an address below one, without a slash at its end. */
export function serviceUrl(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    throw new UsageError(
      `url: "${text}" is not the address of a service, such as https://waypost.example.com`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** The beginning of a key, by which the console shows it too. */
export function shownKey(apiKey: string): string {
  return `${apiKey.slice(0, 12)}…`;
}

async function storedCredentials(): Promise<Credentials | null> {
  const file = configFile();
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let value: Partial<Credentials> | null;
  try {
    value = JSON.parse(text) as Partial<Credentials> | null;
  } catch {
    value = null;
  }
  if (typeof value?.url !== 'string' || typeof value.apiKey !== 'string') {
    throw new Failure(`${file} cannot be read. Run \`waypost login\` again`);
  }
  return { url: value.url, apiKey: value.apiKey };
}
