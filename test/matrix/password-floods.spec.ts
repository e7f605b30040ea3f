import request, { type Test } from 'supertest';
import { SCRYPT } from '../../src/access/console/password';
import { BrowserSession } from '../support/browser-session';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { API_HOST, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

describe('floods of passwords', () => {
  const app = useTestApp();
  let ip = '';
  let networks = 0;
  const { cost } = SCRYPT;
  beforeAll(() => (SCRYPT.cost = null));
  afterAll(() => (SCRYPT.cost = cost));
  beforeEach(() => {
    ip = `198.51.100.${++networks}`;
    app.clock.set('2026-11-20T08:32:00Z');
  });

  const login = (username: string, password: string, from = ip) =>
    request(app.url)
      .post('/api/v1/console/login')
      .set({ Host: API_HOST, 'X-Forwarded-For': from })
      .send({ username, password });
  const statusesOf = (calls: PromiseLike<{ status: number }>[]) =>
    Promise.all(calls.map((call) => call.then(({ status }) => status)));
  const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

  it('from one network are rejected without a check for the most part, while others are served', async () => {
    const { username, password, api } = await createOrganization(app);
    const crowd = statusesOf(Array.from({ length: 200 }, (_, i) => login(`crowd-${i}`, 'wrong password')));
    await login(username, password, '203.0.113.50').expect(200);
    await api.get('/api/v1/service/urls').expect(200);
    const statuses = await crowd;
    const checked = count(statuses, 401);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(50);
    expect(count(statuses, 429)).toBe(200 - checked);
  });

  it('on one user name from many networks leave a slot to others', async () => {
    const { username, password } = await createOrganization(app);
    const flood = (from: number) =>
      statusesOf(
        Array.from({ length: 100 }, (_, i) => login('flooded', 'wrong password', `10.7.${from}.${i}`)),
      );
    const before = flood(0);
    const own = statusesOf([login(username, password)]);
    const after = flood(1);
    expect(await own).toEqual([200]);
    const statuses = [...(await before), ...(await after)];
    expect(count(statuses, 401)).toBeLessThanOrEqual(10);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  describe('new ones', () => {
    const makeUsers = async () => {
      const { organizationId, userId } = await createOrganization(app);
      const path = `/api/v1/console/organizations/${organizationId}/users`;
      const from = (call: Test) => call.set('X-Forwarded-For', ip);
      return {
        create: (i: number) =>
          from(consoleApi(app).post(path)).send({ username: `user-${userId}-${i}`, password: 'a password' }),
        change: () => from(consoleApi(app).patch(`${path}/${userId}`)).send({ password: 'a password' }),
      };
    };

    it.each(['create', 'change'] as const)(
      'are limited like logins when an ADMIN %ss a hundred users at once',
      async (verb) => {
        const users = await makeUsers();
        const other = await createOrganization(app);
        const all = statusesOf(Array.from({ length: 100 }, (_, i) => users[verb](i)));
        await login(other.username, other.password, '203.0.113.60').expect(200);
        const statuses = await all;
        const refused = count(statuses, 429);
        expect(refused).toBeGreaterThanOrEqual(60);
        expect(count(statuses, verb === 'create' ? 201 : 200)).toBe(100 - refused);
        expect((await users[verb](100)).status).toBeLessThan(300);
      },
    );

    it('say when to try again', async () => {
      const { create } = await makeUsers();
      const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => create(i)));
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.headers['retry-after']).toBe('1');
      expect(refused?.body).toMatchObject({ code: 'RATE_LIMITED' });
    });

    it('are limited when many accept invitations, which stay open', async () => {
      const { organizationId } = await createOrganization(app);
      const invite = async () => {
        const path = `/api/v1/console/organizations/${organizationId}/invitations`;
        const { body } = await consoleApi(app).post(path, {}).expect(201);
        return `/api/v1/console/invitations/${(body as { url: string }).url.split('/').at(-1)}`;
      };
      const links = [];
      for (let i = 0; i < 30; i++) links.push(await invite());
      const accept = (link: string, i: number) =>
        new BrowserSession(app)
          .from(ip)
          .send('post', `${link}/accept`, { username: `invited-${i}`, password: 'a password' });
      const statuses = await statusesOf(links.map(accept));
      expect(count(statuses, 429)).toBeGreaterThan(0);
      expect(count(statuses, 201)).toBe(30 - count(statuses, 429));
      const refused = statuses.indexOf(429);
      expect((await accept(links[refused] ?? '', refused)).status).toBe(201);
    });
  });

  it('of visitors of a link leave room for those of other organizations', async () => {
    const [flooded, other] = [await createOrganization(app), await createOrganization(app)];
    const pathOf = async (org: TestOrganization) =>
      new URL((await createLink(org, { password: 'open sesame' })).shortUrl).pathname;
    const [path, otherPath] = [await pathOf(flooded), await pathOf(other)];
    const guess = (to: string, guessed: string, from: string) =>
      visit(app, to, { method: 'post', ip: from }).type('form').send({ password: guessed });
    const flood = statusesOf(
      Array.from({ length: 300 }, (_, i) => guess(path, 'wrong', `10.${i % 200}.8.8`)),
    );
    for (let i = 0; i < 3; i++) expect((await guess(otherPath, 'open sesame', ip)).status).toBe(303);
    expect(count(await flood, 503)).toBeGreaterThan(0);
  });

  it('of links that are created are limited, and do not hold up logins and other organizations', async () => {
    const { username, password, api } = await createOrganization(app);
    const other = await createOrganization(app);
    const url = 'https://shop.example/';
    const create = (i: number) => api.post('/api/v1/service/urls', { url, password: `password ${i}` });
    const all = statusesOf(Array.from({ length: 300 }, (_, i) => create(i)));
    for (let i = 0; i < 3; i++) await createLink(other, { password: `other ${i}` });
    await login(username, password).expect(200);
    const statuses = await all;
    expect(count(statuses, 429)).toBeGreaterThan(0);
    expect(count(statuses, 201)).toBe(300 - count(statuses, 429));
    await create(300).expect(201);
  });
});
