import { DEMO_USER } from '../access/demo-organization';
import { addSignInLink } from '../access/sign-in-links/sign-in-token';
import { type Config, readConfig } from '../config/config';
import { readCredentials } from '../start/credentials';
import { runTool } from '../start/run-tool';
import { withDatabase } from '../start/tool-database';

const UNDEFINED_TABLE = '42P01';
const NOT_STARTED = 'Start the service first: its database has no users yet';

/**
 * `npm run sign-in -- [username]`: prints a link that signs the user in once, whether or not the service is running.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const [, , username = DEMO_USER] = process.argv;
  process.stdout.write(`${await newLink(config, username)}\n`);
}

/** @throws Error if there is no such user */
async function newLink(config: Config, username: string): Promise<string> {
  const baseUrl = config.databaseUrl ? config.baseUrl : await embeddedBaseUrl(config);
  const link = await withDatabase(config, (database) =>
    addSignInLink(database, baseUrl, { username }, Date.now()),
  ).catch((error: unknown) => {
    throw (error as { code?: string }).code === UNDEFINED_TABLE ? new Error(NOT_STARTED) : error;
  });
  if (link === null) throw new Error(`There is no user ${username}`);
  return link;
}

/**
 * The base URL of the service's last start on the data folder, whatever the settings of this shell.
 * @throws Error before the first start, since opening the embedded database would create one
 */
async function embeddedBaseUrl({ dataDir }: Config): Promise<string> {
  const credentials = await readCredentials(dataDir);
  if (!credentials) throw new Error(NOT_STARTED);
  return credentials.baseUrl;
}

runTool(main);
