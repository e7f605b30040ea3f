import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEncryptionKeys } from '../../src/config/encryption-keys';
import { eventually } from '../support/eventually';
import { freePort } from '../support/servers';
import { CHROME } from '../support/visits';
import { call } from './customer';
import { Service } from './service';

const SIGN_IN_LINK = /\bhttp:\/\/127\.0\.0\.1:\d+\/console\/sign-in#token=wp_sign_in_[\w-]{43}$/m;
const BY_LINK = '/api/v1/console/sessions/by-link';

interface Credentials {
  baseUrl: string;
  shortUrlBase: string;
  docsUrl: string;
  consoleToken: string;
  organizationId: number;
  apiKey: string;
}

/** A newcomer's start: no settings except the port, and no stores on the machine. */
describe('the first start', () => {
  let service: Service;
  let credentials: Credentials;
  let encryptionKeys: string;
  let link: { id: number; shortUrl: string };

  beforeAll(async () => {
    service = await Service.launch({ PORT: String(await freePort()) });
    await printed(/curl -s .*|Key and console token/);
  });
  afterAll(async () => {
    await service.stop();
  });

  /** Waits until the running process has printed a match. */
  const printed = (pattern: RegExp) => eventually(async () => expect(service.output).toMatch(pattern));

  /** The output of `npm run sign-in`, beside the running service. */
  const signIn = (username: string) =>
    execFileSync(process.execPath, [join(__dirname, '../../dist/src/cli/sign-in.js'), username], {
      env: { DATA_DIR: service.dataDir },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  async function statistics(): Promise<{ chartData: number[]; botClicks: number }> {
    const url = `${credentials.baseUrl}/api/v1/service/urls/${link.id}/stats`;
    const answer = await call<{ chartData: number[]; botClicks: number }>(url, 'GET', {
      'X-API-KEY': credentials.apiKey,
    });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  it('stores six credentials readable only by their owner, and prints them', () => {
    const path = join(service.dataDir, 'credentials.json');
    credentials = JSON.parse(readFileSync(path, 'utf8')) as Credentials;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(credentials).toEqual({
      baseUrl: `http://127.0.0.1:${service.port}`,
      shortUrlBase: `http://localhost:${service.port}`,
      docsUrl: `http://127.0.0.1:${service.port}/api/docs`,
      consoleToken: expect.any(String),
      organizationId: expect.any(Number),
      apiKey: expect.stringMatching(/^wp_live_[0-9A-Za-z]{38}$/),
    });
    const { organizationId: _, ...texts } = credentials;
    for (const text of Object.values(texts)) expect(service.output).toContain(text);
    expect(service.output).toContain(path);
    expect(service.output).toMatch(SIGN_IN_LINK);
  });

  it('signs an ADMIN in with the printed address of the console, and with that of the command', async () => {
    for (const text of [service.output, signIn('demo')]) {
      const [address = ''] = SIGN_IN_LINK.exec(text) ?? [];
      const [page = '', token] = address.split('#token=');
      expect(page).toBe(`${service.url}/console/sign-in`);
      expect((await fetch(page)).headers.get('content-type')).toContain('text/html');
      const headers = { Origin: credentials.baseUrl };
      const answer = await call(credentials.baseUrl + BY_LINK, 'POST', headers, { token });
      expect(answer.body).toMatchObject({ username: 'demo', role: 'ADMIN' });
    }
    expect(() => signIn('nobody')).toThrow('There is no user nobody');
  });

  it('stores an encryption key readable only by its owner, and never prints it', () => {
    const path = join(service.dataDir, 'encryption-keys');
    encryptionKeys = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(parseEncryptionKeys(encryptionKeys)).toHaveLength(1);
    expect(service.output).not.toContain(encryptionKeys.trim().split(':')[1]);
  });

  it('prints a curl command that creates a link', () => {
    const line = service.output.split('\n').find((text) => text.startsWith('curl '));
    const answer = execFileSync('sh', ['-c', line ?? 'false'], { encoding: 'utf8' });
    link = JSON.parse(answer) as typeof link;
    expect(link.shortUrl).toMatch(new RegExp(`^${credentials.shortUrlBase}/[0-9A-Za-z]{7}$`));
  });

  it('redirects it, and shows the click', async () => {
    const { baseUrl, organizationId, consoleToken } = credentials;
    // More than 30 calls a minute, because the tests poll.
    const raised = await call(
      `${baseUrl}/api/v1/console/organizations/${organizationId}`,
      'PATCH',
      { Authorization: `Bearer ${consoleToken}` },
      { serviceRatePerMinute: 10_000 },
    );
    expect(raised.status).toBe(200);
    const redirectRequest = await fetch(link.shortUrl, {
      redirect: 'manual',
      headers: { 'User-Agent': CHROME },
    });
    expect(redirectRequest.status).toBe(302);
    expect(redirectRequest.headers.get('location')).toBe('https://example.com/');
    await eventually(async () => expect((await statistics()).chartData.at(-1)).toBe(1));
  });

  it('keeps keys and data after a SIGKILL, and prints where the credentials are', async () => {
    const before = service.output.length;
    await service.kill();
    await service.restart();
    await eventually(async () =>
      expect(service.output.slice(before)).toContain(join(service.dataDir, 'credentials.json')),
    );
    expect(service.output.slice(before)).not.toContain(credentials.apiKey);
    expect(service.output.slice(before)).toMatch(SIGN_IN_LINK);
    expect(readFileSync(join(service.dataDir, 'encryption-keys'), 'utf8')).toBe(encryptionKeys);
    expect((await statistics()).chartData.at(-1)).toBe(1);
    expect((await fetch(link.shortUrl, { redirect: 'manual' })).status).toBe(302);
    // Node's fetch may count as a bot, but must be counted.
    await eventually(async () => {
      const { chartData, botClicks } = await statistics();
      expect((chartData.at(-1) ?? 0) + botClicks).toBe(2);
    });
  });

  it('refuses to start with damaged keys, without replacing or printing them', async () => {
    await service.stop();
    const path = join(service.dataDir, 'encryption-keys');
    const damaged = encryptionKeys.slice(0, -10);
    writeFileSync(path, damaged);
    const before = service.output.length;
    await expect(service.restart()).rejects.toThrow('did not start');
    const printedSince = service.output.slice(before);
    expect(printedSince).toMatch(/^DATA_DIR: .*encryption-keys cannot be used/m);
    expect(printedSince).not.toContain(damaged.split(':')[1]);
    expect(readFileSync(path, 'utf8')).toBe(damaged);
    expect(await service.ended()).toEqual({ code: 1, signal: null });
    writeFileSync(path, encryptionKeys);
    await service.restart();
  });

  it('stops its Postgres on SIGTERM', async () => {
    const lockFile = join(service.dataDir, 'postgres/postmaster.pid');
    expect(existsSync(lockFile)).toBe(true);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(existsSync(lockFile)).toBe(false);
  });
});
