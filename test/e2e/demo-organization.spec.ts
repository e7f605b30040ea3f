import { ADD_ONS, PERMISSIONS } from '../../src/access/caller';
import { DemoOrganization } from '../../src/access/demo-organization';
import { consoleApi, createOrganization, serviceApi } from '../support/factories';
import { TestApp, useTestApp } from '../support/test-app';

const ORGANIZATIONS = '/api/v1/console/organizations';

describe('Demo organization', () => {
  const app = useTestApp();
  afterEach(() => app.sql('TRUNCATE organizations CASCADE'));

  it('has every add-on, every permission, local addresses, one user and one key that works', async () => {
    const made = await app.get(DemoOrganization).ensure();
    if (!made) throw new Error('It was not made');
    const path = `${ORGANIZATIONS}/${made.organizationId}`;
    const read = async (what: string) => (await consoleApi(app).get(`${path}${what}`).expect(200)).body;

    expect(await read('')).toMatchObject({ name: 'Demo', plan: 'PRO' });
    const codes = (await read('/add-ons')).content.map(({ code }: { code: string }) => code);
    expect(codes.sort()).toEqual([...ADD_ONS].sort());
    const cidrs = (await read('/ip-allow-list')).content.map(({ cidr }: { cidr: string }) => cidr);
    expect(cidrs.sort()).toEqual(['127.0.0.0/8', '::1']);
    const users = (await read('/users')).content;
    expect(users).toEqual([expect.objectContaining({ username: 'demo', permissions: [...PERMISSIONS] })]);
    const keys = (await read('/api-keys')).content;
    expect(keys).toEqual([
      expect.objectContaining({ prefix: made.apiKey.slice(0, 12), userId: users[0].id }),
    ]);
    await serviceApi(app, made.apiKey).get('/api/v1/service/urls').expect(200);
  });

  it('is made once', async () => {
    const made = await app.get(DemoOrganization).ensure();
    expect(made).not.toBeNull();
    expect(await app.get(DemoOrganization).ensure()).toBeNull();
    await consoleApi(app).delete(`${ORGANIZATIONS}/${made?.organizationId}`).expect(204);
    expect(await app.get(DemoOrganization).ensure()).toBeNull();
  });

  it('is created once by processes that start together', async () => {
    const other = await TestApp.start({ database: app.database });
    const all = await Promise.all([app, other, app, other].map((at) => at.get(DemoOrganization).ensure()));
    expect(all.filter((made) => made !== null)).toHaveLength(1);
    expect((await consoleApi(app).get(ORGANIZATIONS)).body.totalElements).toBe(1);
    await other.close();
  });

  it('is not created beside other organizations', async () => {
    await createOrganization(app);
    expect(await app.get(DemoOrganization).ensure()).toBeNull();
  });

  it('is not created when its key cannot be stored', async () => {
    const full = () => Promise.reject(new Error('disk full'));
    await expect(app.get(DemoOrganization).ensure(full)).rejects.toThrow('disk full');
    expect((await consoleApi(app).get(ORGANIZATIONS)).body.totalElements).toBe(0);
    expect(await app.get(DemoOrganization).ensure()).not.toBeNull();
  });
});
