import { Client } from 'pg';
import { within } from '../support/eventually';
import { temporaryFolder } from '../support/servers';
import { createTestDatabase, ENCRYPTION_KEYS } from '../support/test-app';
import { call } from './customer';
import { CONSOLE_TOKEN, Service } from './service';

describe('npm run demo with DATABASE_URL', () => {
  jest.setTimeout(240_000);
  const LINK = /http\S+\/console\/sign-in#token=(wp_sign_in_[\w-]{43})/;
  let databaseUrl = '';
  let env: Record<string, string>;
  let service: Service;

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

  const printed = (text: RegExp | string) => within(120, async () => expect(service.output).toMatch(text));
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
    await printed(LINK);
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
