import { within } from '../support/eventually';
import { temporaryFolder } from '../support/servers';
import { call } from './customer';
import { Service, CONSOLE_TOKEN } from './service';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, ENCRYPTION_KEYS } from '../support/test-app';

const CLICKS = 2_000;
const DAY_MS = 86_400_000;
const SIGN_IN_LINK = /\/console\/sign-in#token=wp_sign_in_[\w-]{43}/;

interface Credentials {
  consoleToken: string;
  organizationId: number;
}

let service: Service;
const printed = (text: RegExp | string) => within(120, async () => expect(service.output).toMatch(text));

describe('npm run demo', () => {
  const dataDir = temporaryFolder('demo');

  afterAll(() => service.stop());

  const launch = async () => {
    service = await Service.launch(
      { DATA_DIR: dataDir, DEMO_CLICKS: String(CLICKS), LOG_LEVEL: 'warn' },
      'cli/demo',
    );
  };

  /** Reads from the console API of the organization. */
  async function read<T>(path: string): Promise<T> {
    const file = readFileSync(join(dataDir, 'credentials.json'), 'utf8');
    const { consoleToken, organizationId } = JSON.parse(file) as Credentials;
    const url = `${service.url}/api/v1/console/organizations/${organizationId}/${path}`;
    const answer = await call<T>(url, 'GET', { Authorization: `Bearer ${consoleToken}` });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  }
  const count = async (path: string) => (await read<{ totalElements: number }>(path)).totalElements;
  const clicks = async (metric: string) => {
    const [startDate, endDate] = [Date.now() - 92 * DAY_MS, Date.now() + DAY_MS].map((time) =>
      new Date(time).toISOString().slice(0, 10),
    );
    const query = new URLSearchParams({ startDate, endDate, metric } as Record<string, string>);
    return (await read<{ total: number }>(`analytics/clicks?${query.toString()}`)).total;
  };

  it('that is stopped is made anew in the next run', async () => {
    await launch();
    await printed('20 sessions');
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output).not.toContain('is filled');
    await launch();
    await printed('The Demo organization is filled.');
    await printed(SIGN_IN_LINK);
  });

  it('refuses to run on the data folder of a running service', async () => {
    const second = await Service.launch({ DATA_DIR: dataDir }, 'cli/demo');
    expect(await second.ended()).toEqual({ code: 1, signal: null });
    expect(second.output).toContain('DATA_DIR: Waypost is already running on');
  });

  it('makes every part of the data once', async () => {
    expect(await count('urls?size=1')).toBe(400);
    expect(await count('campaigns?size=1')).toBe(12);
    expect(await count('mobile-apps?size=1')).toBe(2);
    expect(await count('custom-domains?size=1')).toBe(2);
    expect(await count('messaging/contacts?size=1')).toBe(100);
    expect(await count('users?size=1')).toBe(4);
    expect(await count('invitations?size=1')).toBe(1);
    expect(await count('webhooks?size=1')).toBe(2);
    expect(await count('segments?size=1')).toBe(4);
    // The sixth contact has opted out.
    const checked = await read<{ unsubscribed: boolean }>(
      'messaging/unsubscribes/check?channel=SMS&value=%2B821020014995',
    );
    expect(checked.unsubscribed).toBe(true);
  });

  it('makes exactly as many clicks as asked for, in every sum of them', async () => {
    const people = await clicks('clicks');
    const bots = await clicks('bots');
    expect(bots).toBeGreaterThan(0);
    expect(people + bots).toBe(CLICKS);
    let listed = 0;
    for (const path of ['urls', 'campaigns']) {
      for (let page = 0, last = false; !last; page++) {
        const found = await read<{ content: { clickCount: number }[]; last: boolean }>(
          `${path}?size=100&page=${page}`,
        );
        listed += found.content.reduce((sum, { clickCount }) => sum + clickCount, 0);
        last = found.last;
      }
    }
    expect(listed).toBe(people);
  });

  it('fills once', async () => {
    await service.stop();
    await launch();
    await printed('The Demo organization has been filled already.');
    await printed(SIGN_IN_LINK);
    expect((await clicks('clicks')) + (await clicks('bots'))).toBe(CLICKS);
    expect(await count('urls?size=1')).toBe(400);
  });
});

describe('npm run demo with DATABASE_URL', () => {
  let databaseUrl = '';
  let env: Record<string, string>;

  beforeAll(async () => {
    databaseUrl = (await createTestDatabase()).url;
    env = {
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      CONSOLE_TOKEN,
      ENCRYPTION_KEYS,
      DATA_DIR: temporaryFolder('demo-database'),
      DEMO_CLICKS: '300',
      LOG_LEVEL: 'warn',
    };
  });
  afterAll(() => service.stop());

  const organizations = async () => {
    const url = `${service.url}/api/v1/console/organizations`;
    const { body } = await call<{ content: { id: number; name: string }[] }>(url, 'GET', {
      Authorization: `Bearer ${CONSOLE_TOKEN}`,
    });
    return body.content;
  };
  const count = async (path: string) => {
    const [demo] = await organizations();
    const url = `${service.url}/api/v1/console/organizations/${demo?.id}/${path}?size=1`;
    const { body } = await call<{ totalElements: number }>(url, 'GET', {
      Authorization: `Bearer ${CONSOLE_TOKEN}`,
    });
    return body.totalElements;
  };
  const figures = () => Promise.all(['urls', 'campaigns', 'users', 'messaging/contacts'].map(count));

  it('fills the Demo organization in a database that is configured', async () => {
    service = await Service.launch(env, 'cli/demo');
    await printed('The Demo organization is filled.');
    await printed(SIGN_IN_LINK);
    expect((await organizations()).map(({ name }) => name)).toEqual(['Demo']);
    expect(await figures()).toEqual([400, 12, 4, 100]);
  });

  it('says what is wrong when the user demo is somebody else, and fills nothing', async () => {
    await service.stop();
    const client = new Client(databaseUrl);
    await client.connect();
    await client.query(`UPDATE organizations SET name = 'Shop'`);
    const refused = await Service.launch(env, 'cli/demo');
    expect(await refused.ended()).toEqual({ code: 1, signal: null });
    expect(refused.output).toContain('a user named demo belongs to another organization than Demo');
    const { rows } = await client.query('SELECT count(*)::int AS links FROM links');
    expect(rows).toEqual([{ links: 400 }]);
    await client.end();
  });
});
