import { DnsServer } from '../support/dns-server';
import { DomainConsole } from '../support/domains';
import { createOrganization } from '../support/factories';
import { createDomain, VALID_LINK } from '../support/links';
import { perSuite, SHORT_HOST, TestApp, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const PATH = '/api/v1/service/custom-domains';

describe('custom domains in the Service API', () => {
  const app = useTestApp();
  /** Ids by status: one domain each, in order of creation. */
  const ids = new Map<string, number>();
  const NAMES: [name: string, status: string][] = [
    ['b.shop.test', 'PENDING'],
    ['a.shop.test', 'VERIFIED'],
    ['links.brand.test', 'ACTIVE'],
    ['c.shop.test', 'FAILED'],
    ['old.brand.test', 'REVOKED'],
  ];

  const organization = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    for (const [i, [name, status]] of NAMES.entries()) {
      ids.set(status, await createDomain(app, organization, name, status));
      await app.alter('UPDATE custom_domains SET created_at = $2 WHERE id = $1', [
        ids.get(status),
        `2026-11-20T08:0${i}:59Z`,
      ]);
    }
    await createDomain(app, other, 'foreign.test', 'ACTIVE');
  });

  const list = async (query = '') => (await organization.api.get(`${PATH}${query}`).expect(200)).body;
  const names = async (query: string): Promise<string[]> =>
    (await list(query)).content.map((domain: { domainName: string }) => domain.domainName);

  it('are listed in the Spring-style page, newest first', async () => {
    expect(await list()).toEqual({
      content: expect.any(Array),
      totalElements: 5,
      totalPages: 1,
      size: 20,
      number: 0,
      first: true,
      last: true,
      numberOfElements: 5,
      empty: false,
      pageable: {
        pageNumber: 0,
        pageSize: 20,
        offset: 0,
        sort: { sorted: true, unsorted: false, empty: false },
        paged: true,
        unpaged: false,
      },
    });
    expect(await names('')).toEqual(NAMES.map(([name]) => name).reverse());
  });

  it('are paged', async () => {
    expect(await list('?page=1&size=2&sort=domainName,asc')).toMatchObject({
      content: [{ domainName: 'c.shop.test' }, { domainName: 'links.brand.test' }],
      totalElements: 5,
      totalPages: 3,
      number: 1,
      first: false,
      last: false,
      numberOfElements: 2,
      empty: false,
      pageable: { pageNumber: 1, pageSize: 2, offset: 2 },
    });
    expect(await list('?page=2&size=2')).toMatchObject({ numberOfElements: 1, last: true, first: false });
    expect(await list('?page=3&size=2')).toMatchObject({ content: [], numberOfElements: 0, empty: true });
  });

  it.each([
    ['search=shop', ['c.shop.test', 'a.shop.test', 'b.shop.test']],
    ['search=SHOP', ['c.shop.test', 'a.shop.test', 'b.shop.test']],
    ['search=%25', []],
    ['search=_', []],
    ['search=foreign', []],
    ['search=', ['old.brand.test', 'c.shop.test', 'links.brand.test', 'a.shop.test', 'b.shop.test']],
    ['status=ACTIVE', ['links.brand.test']],
    ['status=FAILED&search=shop', ['c.shop.test']],
    ['status=FAILED&search=brand', []],
    ['sort=createdAt,asc', NAMES.map(([name]) => name)],
    ['sort=createdAt', NAMES.map(([name]) => name)],
    ['sort=domainName,DESC&size=2', ['old.brand.test', 'links.brand.test']],
    ['sort=status,asc&size=2', ['links.brand.test', 'c.shop.test']],
    ['sort=id,asc&size=1', ['b.shop.test']],
  ])('are found by %s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it.each([
    ['sort=owner,asc', 'sort'],
    ['sort=activationToken', 'sort'],
    ['sort=createdAt,up', 'sort'],
    ['sort=createdAt;drop', 'sort'],
    ['sort=', 'sort'],
  ])('refuse %s', async (query, field) => {
    const { body } = await organization.api.get(`${PATH}?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('are a plain array of those that links and campaigns may use', async () => {
    const { body } = await organization.api.get(`${PATH}/verified`).expect(200);
    expect(body.map((domain: { domainName: string; status: string }) => domain)).toMatchObject([
      { domainName: 'a.shop.test', status: 'VERIFIED' },
      { domainName: 'links.brand.test', status: 'ACTIVE' },
    ]);
    const empty = await createOrganization(app);
    expect((await empty.api.get(`${PATH}/verified`).expect(200)).body).toEqual([]);
    expect((await empty.api.get(PATH).expect(200)).body).toMatchObject({
      content: [],
      empty: true,
      totalPages: 0,
    });
  });

  it.each([
    ['/api/v1/service/urls', (customDomainId: unknown) => ({ ...VALID_LINK, customDomainId })],
    [
      '/api/v1/service/campaigns',
      (customDomainId: unknown) => ({ name: 'Sale', originalUrl: VALID_LINK.url, customDomainId }),
    ],
  ])('%s accepts only VERIFIED and ACTIVE ones of the organization', async (path, bodyWith) => {
    for (const status of ['VERIFIED', 'ACTIVE']) {
      const { body } = await organization.api.post(path, bodyWith(ids.get(status))).expect(201);
      expect(body.customDomainName).toBe(NAMES.find((each) => each[1] === status)?.[0]);
      // An update has no such field, so it cannot be changed later.
      const changed = await organization.api
        .put(`${path}/${body.id}`, { customDomainId: null, goalType: 'signup' })
        .expect(200);
      expect(changed.body).toMatchObject({ customDomainName: body.customDomainName, goalType: 'signup' });
    }
    for (const status of ['PENDING', 'FAILED', 'REVOKED']) {
      const { body } = await organization.api.post(path, bodyWith(ids.get(status))).expect(400);
      expect(body).toMatchObject({ code: 'DOMAIN_NOT_USABLE', details: [{ field: 'customDomainId' }] });
    }
    const foreign = await other.api.post(path, bodyWith(ids.get('ACTIVE'))).expect(400);
    expect(foreign.body.code).toBe('DOMAIN_NOT_USABLE');
  });

  it('serve their own aliases: the same alias names a different link on each', async () => {
    for (const status of [undefined, 'VERIFIED', 'ACTIVE']) {
      const body = {
        url: `https://example.com/${status}`,
        customAlias: 'same',
        customDomainId: ids.get(status ?? ''),
      };
      await organization.api.post('/api/v1/service/urls', body).expect(201);
    }
    for (const [host, path] of [
      [SHORT_HOST, 'undefined'],
      ['a.shop.test', 'VERIFIED'],
      ['links.brand.test', 'ACTIVE'],
    ]) {
      const { headers } = await visit(app, '/same', { host }).expect(302);
      expect(headers.location).toBe(`https://example.com/${path}`);
    }
  });

  it('work in a single process without Redis', async () => {
    const dns = await DnsServer.start();
    const single = await TestApp.start({ redis: false, env: { DNS_SERVERS: dns.address } });
    const owner = await createOrganization(single);
    const console = new DomainConsole(single, owner);
    const domain = await console.added('single.test');
    await visit(single, '/here', { host: 'single.test' }).expect(404);
    dns.cname(domain.cnameRecordName, domain.cnameRecordValue);
    expect(await console.acted(domain.id, 'verify')).toMatchObject({ status: 'VERIFIED' });
    const link = { ...VALID_LINK, customDomainId: domain.id, customAlias: 'here' };
    await owner.api.post('/api/v1/service/urls', link).expect(201);
    await visit(single, '/here', { host: 'single.test' }).expect(302);
    await console.remove(domain.id, { force: true }).expect(204);
    await visit(single, '/here', { host: 'single.test' }).expect(404);
    await single.close();
    await dns.close();
  });
});
