import type { DemoOrganization } from '../access/demo-organization';
import type { Config } from '../config/config';
import { type Credentials, credentialsPath, readCredentials, welcome, writeCredentials } from './credentials';

/**
 * Creates the Demo organization on the first start with an embedded database, and stores its credentials.
 * @returns the credentials, and whether this call created the organization
 */
export async function ensureDemo(
  demo: DemoOrganization,
  config: Config,
  consoleToken: string,
): Promise<{ credentials: Credentials; created: boolean }> {
  const known = await readCredentials(config.dataDir);
  const credentials: Credentials = {
    baseUrl: config.baseUrl,
    shortUrlBase: config.shortUrlBase,
    docsUrl: `${config.baseUrl}/api/docs`,
    consoleToken,
    organizationId: known?.organizationId ?? null,
    apiKey: known?.apiKey ?? null,
  };
  const created = await demo.ensure((made) => {
    Object.assign(credentials, made);
    // Stored before the commit, because a key that is not stored would be lost.
    return writeCredentials(config.dataDir, credentials);
  });
  if (!created) await writeCredentials(config.dataDir, credentials);
  return { credentials, created: created !== null };
}

/** Prints the URLs of the service. @param first also prints the key and the console token */
export async function introduce(
  demo: DemoOrganization,
  { dataDir }: Config,
  { credentials, first }: { credentials: Credentials; first: boolean },
): Promise<void> {
  const { organizationId } = credentials;
  const signInLink = organizationId === null ? null : await demo.signInLink(organizationId);
  process.stdout.write(welcome(credentials, credentialsPath(dataDir), { first, signInLink }));
}
