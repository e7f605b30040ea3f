import { Database } from '../../src/infrastructure/database/database';
import { registerApp } from '../support/apps';
import { createCampaign } from '../support/campaigns';
import { createOrganization } from '../support/factories';
import { createDomain, createLink, VALID_LINK } from '../support/links';
import { perSuite, TestApp } from '../support/test-app';
import { CHROME, IPHONE, visit } from '../support/visits';

const THERE = 'https://shop.example.com/there';

describe.each([
  ['with Redis, by another process', true],
  ['without Redis', false],
])('While Postgres is away, %s, the first visitor is answered', (_name, redis) => {
  let app: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ redis });
    other = redis ? await TestApp.start({ database: app.database }) : app;
  });
  const org = perSuite(() => createOrganization(app));
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    if (other !== app) await other.close();
    await app.close();
  });

  async function expectAnswer(link: unknown, status: number, { location = '', userAgent = CHROME } = {}) {
    jest.spyOn(other.get(Database), 'lookup').mockRejectedValue(new Error('Postgres is away'));
    const { host, pathname } = new URL(String(link));
    const answer = await visit(other, pathname, { host, userAgent });
    expect([link, answer.status]).toEqual([link, status]);
    if (location) expect(answer.headers.location).toBe(location);
    jest.restoreAllMocks();
  }

  const change = (id: number, body: object) => org.api.put(`/api/v1/service/urls/${id}`, body);

  it('by new links, with a generated code or an alias, and by campaigns', async () => {
    await expectAnswer((await createLink(org)).link, 302, { location: VALID_LINK.url });
    const alias = `first-${org.organizationId}`;
    await expectAnswer((await createLink(org, { customAlias: alias })).link, 302);
    await expectAnswer((await createCampaign(org, { originalUrl: THERE })).link, 302, { location: THERE });
    const { link } = await createCampaign(org, { originalUrl: THERE, alias: `c-${alias}` });
    await expectAnswer(link, 302, { location: THERE });
  });

  it('by links created in bulk', async () => {
    const items = [1, 2, 3].map((n) => ({
      url: `${THERE}/${n}`,
      ...(n === 1 && { customAlias: `bulk-${n}` }),
    }));
    const { body } = await org.api.post('/api/v1/service/urls/bulk', { items }).expect(200);
    for (const [i, { url }] of (body.results as { url: { link: string } }[]).entries())
      await expectAnswer(url.link, 302, { location: `${THERE}/${i + 1}` });
  });

  it('by what has changed, also before anybody visited it', async () => {
    for (const visited of [false, true]) {
      const { id, link } = await createLink(org);
      if (visited) await visit(other, new URL(link as string).pathname).expect(302);
      await change(id, { originalUrl: THERE }).expect(200);
      await expectAnswer(link, 302, { location: THERE });
      await change(id, { enabled: false }).expect(200);
      await expectAnswer(link, 404);
      await change(id, { enabled: true }).expect(200);
      await expectAnswer(link, 302, { location: THERE });
      const customAlias = `moved-${id}`;
      await org.api.put(`/api/v1/service/urls/${id}`, { customAlias }).expect(200);
      await expectAnswer(link, 302, { location: THERE });
      await expectAnswer(new URL(`/${customAlias}`, link as string).href, 302, { location: THERE });
      await org.api.delete(`/api/v1/service/urls/${id}`).expect(204);
      await expectAnswer(link, 404);
    }
  });

  it('with the app and the domain of the link', async () => {
    const ios = await registerApp(org);
    await expectAnswer((await createLink(org, { iosAppId: ios.id })).link, 200, { userAgent: IPHONE });
    const customDomainId = await createDomain(app, org, `first-${org.organizationId}.example`, 'ACTIVE');
    await expectAnswer((await createLink(org, { customDomainId })).link, 302);
  });

  it('with the last of several changes at once', async () => {
    const { id, link } = await createLink(org);
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => change(id, { originalUrl: `${THERE}/${n}` }).expect(200)),
    );
    const { body } = await org.api.get(`/api/v1/service/urls/${id}`).expect(200);
    await expectAnswer(link, 302, { location: body.originalUrl as string });
  });
});
