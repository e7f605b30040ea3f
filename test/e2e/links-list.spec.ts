import { consoleApi, createOrganization } from '../support/factories';
import { codeOf, createApp, createDomain, createLink, SHORT_ORIGIN, URLS } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';

describe('list of short links', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const org = perTest(() => createOrganization(app));

  const list = async (query: Record<string, unknown> = {}) =>
    (await org.api.get(URLS, query).expect(200)).body;
  const titles = async (query: Record<string, unknown> = {}) =>
    (await list(query)).content.map(({ title }: { title: string }) => title);

  it('searches destination and code, without wildcards', async () => {
    const make = (title: string, url: string, alias: string) =>
      createLink(org, { title, url, customAlias: `${alias}${org.organizationId}` });
    await make('percent', 'https://example.com/100%25-off', 'One');
    await make('underscore', 'https://example.com/a_b', 'Two');
    await make('plain', 'https://example.com/axb?q=back-slash', 'Three');
    await make('Mixed', 'https://Example.com/MiXeD/CasE', 'FoUr');
    await make('hangul', 'https://example.com/한글', 'five_5');
    expect(await titles({ keyword: '100%' })).toEqual(['percent']);
    expect(await titles({ keyword: '%' })).toEqual(['percent']);
    expect(await titles({ keyword: '_' })).toEqual(['hangul', 'underscore']);
    expect(await titles({ keyword: 'a_b' })).toEqual(['underscore']);
    expect(await titles({ keyword: '\\' })).toEqual([]);
    expect(await titles({ keyword: 'mixed/case' })).toEqual(['Mixed']);
    expect(await titles({ keyword: 'fOuR' })).toEqual(['Mixed']);
    expect(await titles({ keyword: '한글' })).toEqual(['hangul']);
    expect(await titles({ keyword: '한' })).toEqual(['hangul']);
    expect(await titles({ keyword: 'example.com' })).toHaveLength(5);
    expect(await titles({ keyword: '  axb ' })).toEqual(['plain']);
    expect(await titles({ keyword: '' })).toHaveLength(5);
    expect(await titles({ keyword: "' OR '1'='1" })).toEqual([]);
    expect(await titles({ keyword: 'nothing-like-it' })).toEqual([]);
    // Not the title: the documentation names URL and short code.
    expect(await titles({ keyword: 'percent' })).toEqual([]);
    expect(await list({ keyword: 'example', size: 2, page: 1 })).toMatchObject({
      totalElements: 5,
      totalPages: 3,
    });
  });

  it('searches titles, addresses, destinations and tags', async () => {
    const { organizationId } = org;
    const customDomainId = await createDomain(app, org, `brand${organizationId}.example`, 'ACTIVE');
    const iosAppId = await createApp(app, org, 'iOS', `path${organizationId}`);
    const make = (title: string | null, url: string, more = {}) =>
      createLink(org, { title, url: `https://shop.example/${url}`, ...more });
    await make('Éclair 50% off', 'sweets', { tags: ['Bakery', 'New in'] });
    await make('봄 세일 Spring', 'sale', { customAlias: `Summer_${organizationId}`, customDomainId });
    await make('tied', 'tied', { customAlias: `tie-${organizationId}`, iosAppId });
    const untitled = await make(null, 'plain?x=ECLAIR', { tags: ['newsletter'] });
    for (const [search, expected] of [
      ['éCLAIR', ['Éclair 50% off']],
      ['eclair', [null]],
      ['  50% ', ['Éclair 50% off']],
      ['세일', ['봄 세일 Spring']],
      ['봄', ['봄 세일 Spring']],
      ['sale spring', []],
      ['bakery', ['Éclair 50% off']],
      ['W IN', ['Éclair 50% off']],
      ['SHOP.example/SWEETS', ['Éclair 50% off']],
      ['summer_', ['봄 세일 Spring']],
      [`brand${organizationId}`, ['봄 세일 Spring']],
      [`BRAND${organizationId}.example`, ['봄 세일 Spring']],
      [`https://brand${organizationId}.example/summ`, ['봄 세일 Spring']],
      [`${organizationId}.example/SUMM`, ['봄 세일 Spring']],
      [`rand${organizationId}.exampl/summ`, []],
      [`brand${organizationId}.example/inter`, []],
      [`waypost.test/tie-`, ['tied']],
      [`${SHORT_ORIGIN}/path${organizationId}/tie-${organizationId}`, ['tied']],
      [`${SHORT_ORIGIN}/path${organizationId}/tie`, ['tied']],
      ['waypost', []],
      ['go.waypost.test', [null, 'tied', 'Éclair 50% off']],
      [untitled.link, [null]],
      ['_', ['봄 세일 Spring']],
      ['\\', []],
      ['', [null, 'tied', '봄 세일 Spring', 'Éclair 50% off']],
    ] as const) {
      expect([search, await titles({ search })]).toEqual([search, expected]);
    }
    expect(await titles({ search: 'new', tag: 'newsletter' })).toEqual([null]);
    expect(await titles({ search: 'new', keyword: 'sweets' })).toEqual(['Éclair 50% off']);
    const { text } = await org.api.get(`${URLS}/export`, { search: '세일' }).expect(200);
    expect(text.trim().split('\r\n')).toHaveLength(2);
    const ids = `/api/v1/console/organizations/${organizationId}/urls/ids`;
    const all = await consoleApi(app).get(ids, { search: 'new' }).expect(200);
    expect(all.body).toEqual({
      ids: (await list({ search: 'new' })).content.map(({ id }: { id: number }) => id),
      total: 2,
    });
    await consoleApi(app).get(ids, { serch: 'x' }).expect(400);
    const stranger = await createOrganization(app);
    const { body } = await stranger.api.get(URLS, { search: 'shop.example' }).expect(200);
    expect(body.content).toEqual([]);
  });

  it('sorts by what is shown first: the title, or else the address', async () => {
    const customDomainId = await createDomain(app, org, `m${org.organizationId}.example`, 'ACTIVE');
    const iosAppId = await createApp(app, org, 'iOS', `a${org.organizationId}`);
    const links = [
      await createLink(org, { title: 'gp' }),
      await createLink(org, { title: 'Apple' }),
      await createLink(org, { customAlias: `b${org.organizationId}`, customDomainId }),
      await createLink(org, { customAlias: `0${org.organizationId}`, iosAppId }),
      await createLink(org, { customAlias: `Z${org.organizationId}`, customDomainId }),
      await createLink(org, { title: 'zebra' }),
    ];
    const nameOf = ({ title, link }: { title: string | null; link: string }) =>
      title ?? link.replace(/^https?:\/\//, '');
    const shown = (links as unknown as { title: string | null; link: string }[]).map(nameOf);
    const sorted = shown.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const names = async (sort: string) => (await list({ sort })).content.map(nameOf);
    expect(await names('name,asc')).toEqual(sorted);
    expect(await names('name,desc')).toEqual(sorted.toReversed());
  });

  it('finds a link by its URL, in any form', async () => {
    const { organizationId } = org;
    const [host, path] = [`find${organizationId}.example`, `find-${organizationId}`];
    const customDomainId = await createDomain(app, org, host, 'ACTIVE');
    const iosAppId = await createApp(app, org, 'iOS', path);
    const own = await createLink(org, { title: 'own', customDomainId, customAlias: `own_${organizationId}` });
    const tied = await createLink(org, { title: 'tied', iosAppId });
    const both = await createLink(org, { title: 'both', iosAppId, customDomainId });
    const plain = await createLink(org, { title: 'plain' });
    const [a, b, c, d] = [own, tied, both, plain].map((link) => codeOf(link)) as [
      string,
      string,
      string,
      string,
    ];
    for (const [title, keywords] of [
      [
        'own',
        [
          `https://${host}/${a}`,
          `${host}/${a}`,
          `http://${host.toUpperCase()}:443/${a}/?utm_source=x#y`,
          `/${a}`,
        ],
      ],
      [
        'tied',
        [
          `${SHORT_ORIGIN}/${path}/${b}`,
          `go.waypost.test/${path}/${b}?a=1`,
          `${path}/${b}`,
          `go.waypost.test/${b}/`,
        ],
      ],
      ['both', [`https://${host}/${path}/${c}`, `${host}/${c}`, `${path}/${c}/`, `${c}?x=1`]],
      [
        'plain',
        [`${SHORT_ORIGIN}/${d}`, `go.waypost.test/${d}`, `${d}/`, `GO.WAYPOST.TEST/${d.toUpperCase()}`],
      ],
    ] as const) {
      for (const keyword of keywords)
        expect([keyword, await titles({ keyword })]).toEqual([keyword, [title]]);
    }
    const elsewhere = [
      `go.waypost.test/${a}`,
      `${host}/${d}`,
      `other.example/${d}`,
      `not-an-app/${b}`,
      `${host}/c/${a}`,
    ];
    for (const keyword of elsewhere) expect([keyword, await titles({ keyword })]).toEqual([keyword, []]);
    const stranger = await createOrganization(app);
    const { body } = await stranger.api.get(URLS, { keyword: `${SHORT_ORIGIN}/${d}` }).expect(200);
    expect(body.content).toEqual([]);
    const { text } = await org.api.get(`${URLS}/export`, { keyword: `https://${host}/${a}` }).expect(200);
    expect(text.trim().split('\r\n')).toHaveLength(2);
  });

  it('still finds destinations that look like a short URL', async () => {
    await createLink(org, { title: 'docs', url: 'https://example.com/guide/intro?x=1' });
    expect(await titles({ keyword: 'https://example.com/guide' })).toEqual(['docs']);
    expect(await titles({ keyword: 'guide/intro' })).toEqual(['docs']);
    expect(await titles({ keyword: '/guide/' })).toEqual(['docs']);
  });
});
