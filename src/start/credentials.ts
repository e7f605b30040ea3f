import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Contents of `credentials.json` in the data folder, written with an embedded database
 * (docs/concepts/access.md#the-demo-organization).
 */
export interface Credentials {
  baseUrl: string;
  shortUrlBase: string;
  docsUrl: string;
  consoleToken: string;
  organizationId: number | null;
  apiKey: string | null;
}

export function credentialsPath(dataDir: string): string {
  return join(dataDir, 'credentials.json');
}

/** The stored credentials, or null before the first start. */
export async function readCredentials(dataDir: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(credentialsPath(dataDir), 'utf8')) as Credentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(
      `DATA_DIR: ${credentialsPath(dataDir)} cannot be read; remove it to have new credentials created`,
    );
  }
}

/** Replaces the file atomically; only its owner can read it. */
export async function writeCredentials(dataDir: string, credentials: Credentials): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = credentialsPath(dataDir);
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export function makeConsoleToken(): string {
  return `wp_console_${randomBytes(24).toString('base64url')}`;
}

/**
 * The welcome message.
 * @param signInLink a one-time link; null if the demo user no longer exists
 */
export function welcome(
  credentials: Credentials,
  path: string,
  { first, signInLink }: { first: boolean; signInLink: string | null },
): string {
  const { baseUrl, shortUrlBase, docsUrl, consoleToken, apiKey } = credentials;
  const console = signInLink ?? `${baseUrl}/console`;
  if (!first || !apiKey) {
    return `\nWaypost is running: API ${baseUrl}, short links ${shortUrlBase}, docs ${docsUrl}\nConsole: ${console}\nKey and console token: ${path}\n\n`;
  }
  return `
Waypost is running.

  Console        ${console}
  API            ${baseUrl}
  Short links    ${shortUrlBase}
  API docs       ${docsUrl}
  API key        ${apiKey}
  Console token  ${consoleToken}
  Stored in      ${path}

The address of the console signs you in once.

Create a short link:

curl -s ${baseUrl}/api/v1/service/urls -H 'X-API-KEY: ${apiKey}' -H 'Content-Type: application/json' -d '{"url": "https://example.com/"}'

`;
}
