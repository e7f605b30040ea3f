import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';
import { ApiKeysService } from '../../../src/access/api-keys/api-keys.service';
import { callerOf } from '../../../test/support/factories';
import { CommandLine } from './support/command-line';

describe('waypost login', () => {
  const app = useTestApp({ env: { BASE_URL: 'http://127.0.0.1' } });
  let org: TestOrganization;
  let cli: CommandLine;
  const lines: CommandLine[] = [];

  beforeAll(async () => {
    org = await createOrganization(app);
  });
  beforeEach(() => {
    cli = new CommandLine();
    lines.push(cli);
  });
  afterAll(() => lines.forEach((line) => line.close()));

  const file = () => join(cli.config, 'waypost/config.json');
  const fromStdin = (key = org.apiKey) => cli.run(['login', '--url', app.url], `${key}\n`);

  it('stores URL and key for its user alone, and never prints the key', async () => {
    const run = await fromStdin();
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain(org.apiKey);
    expect(run.stdout).toContain(`Logged in to ${app.url} with the key ${org.apiKey.slice(0, 12)}…`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(cli.config, 'waypost')).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ url: app.url, apiKey: org.apiKey });

    expect(await cli.json('whoami')).toEqual({ url: app.url, apiKey: `${org.apiKey.slice(0, 12)}…` });
    expect(await cli.json('logout')).toEqual({ loggedOut: true });
    expect(existsSync(file())).toBe(false);
    expect(await cli.json('logout')).toEqual({ loggedOut: false });
    expect(await cli.run(['links', 'list'])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'waypost: Not logged in. Run `waypost login`, or set WAYPOST_URL and WAYPOST_API_KEY\n',
    });
  });

  it('takes URL and key from options and from the environment', async () => {
    expect(await cli.json('login', '--url', `${app.url}/`, '--api-key', org.apiKey)).toMatchObject({
      url: app.url,
    });
    const env = new CommandLine(() => ({ WAYPOST_URL: app.url, WAYPOST_API_KEY: org.apiKey }));
    lines.push(env);
    expect(await env.json('login')).toMatchObject({ url: app.url });
    expect(await env.json('whoami')).toMatchObject({ url: app.url });
  });

  it('does not send a stored key to the URL of the environment', async () => {
    await fromStdin();
    const elsewhere = new CommandLine(() => ({
      XDG_CONFIG_HOME: cli.config,
      WAYPOST_URL: 'http://127.0.0.1:9',
    }));
    lines.push(elsewhere);
    expect(await elsewhere.run(['whoami'])).toMatchObject({
      code: 4,
      stderr: 'waypost: Set WAYPOST_API_KEY too: the stored key is for another URL\n',
    });
  });

  it('stores nothing that does not work', async () => {
    expect(await fromStdin(`${org.apiKey.slice(0, -1)}!`)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^waypost: .*\(API_KEY_INVALID\)\n$/) as string,
    });
    expect(await fromStdin('')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('apiKey: is required') as string,
    });
    expect(await cli.run(['login'], org.apiKey)).toMatchObject({
      code: 2,
      stderr: 'waypost: url: is required: set --url or WAYPOST_URL\n',
    });
    expect(await cli.run(['login', '--url', 'ftp://x'], org.apiKey)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('url: "ftp://x" is not the address of a service') as string,
    });
    expect(await cli.run(['login', '--url', 'http://127.0.0.1:9'], org.apiKey)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CONNECTION_FAILED') as string,
    });
    expect(existsSync(file())).toBe(false);
  });

  it('accepts a key for other things than links', async () => {
    const by = await callerOf(app, org.organizationId);
    const { apiKey } = await app
      .get(ApiKeysService)
      .create(by, { name: 'Figures', userId: org.userId, scopes: ['analytics:read'] });
    expect(await fromStdin(apiKey)).toMatchObject({ code: 0 });
    expect(await cli.run(['links', 'list'])).toMatchObject({
      code: 1,
      stderr: 'waypost: The API key lacks the scope links:read (SCOPE_REQUIRED)\n',
    });
  });
});
