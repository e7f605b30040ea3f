import { createOrganization, type TestOrganization } from '../support/factories';
import { createLink } from '../support/links';
import { TestApp } from '../support/test-app';

const URLS = '/api/v1/service/urls';

describe('list of short links', () => {
  let app: TestApp;
  let org: TestOrganization;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    org = await createOrganization(app);
  });
  afterAll(() => app.close());

  const list = async (query: Record<string, unknown> = {}) =>
    (await org.api.get(URLS).query(query).expect(200)).body;
  const titles = async (query: Record<string, unknown> = {}) =>
    (await list(query)).content.map(({ title }: { title: string }) => title);

  it('is an empty page at first', async () => {
    expect(await list()).toEqual({
      content: [],
      page: 0,
      size: 20,
      totalElements: 0,
      totalPages: 0,
      first: true,
      last: true,
    });
  });

  it('pages through the links, newest first', async () => {
    for (let i = 1; i <= 5; i++) {
      // Two of one second: the later one is first.
      if (i % 2) app.clock.advance(1000);
      await createLink(org, { title: `${i}` });
    }
    await createLink(await createOrganization(app), { title: 'foreign' });
    expect(await titles()).toEqual(['5', '4', '3', '2', '1']);
    const pages = [
      await list({ size: 2 }),
      await list({ size: 2, page: 1 }),
      await list({ size: 2, page: 2 }),
    ];
    expect(pages.map(({ content }) => content.map(({ title }: { title: string }) => title))).toEqual([
      ['5', '4'],
      ['3', '2'],
      ['1'],
    ]);
    expect(
      pages.map(({ first, last, page, totalElements, totalPages }) => [
        first,
        last,
        page,
        totalElements,
        totalPages,
      ]),
    ).toEqual([
      [true, false, 0, 5, 3],
      [false, false, 1, 5, 3],
      [false, true, 2, 5, 3],
    ]);
    expect(await list({ page: 10_000_000, size: 100 })).toMatchObject({
      content: [],
      totalElements: 5,
      last: true,
    });
  });

  it('shows the same items as a single read', async () => {
    const link = await createLink(org, { title: 'x', customAlias: `same-${org.organizationId}` });
    const { content } = await list();
    expect(content).toEqual([(await org.api.get(`${URLS}/${link.id}`)).body]);
  });

  it.each([
    ['page', '-1'],
    ['page', 'x'],
    ['page', '10000001'],
    ['size', '0'],
    ['size', '101'],
    ['size', '1.5'],
    ['size', ''],
    ['keyword', 'k'.repeat(101)],
    ['keyword', '\u0000'],
    ['showAdPage', 'yes'],
    ['createdAfter', 'yesterday'],
    ['createdBefore', '2026-02-30'],
  ])('refuses %s=%j by name', async (field, value) => {
    const { body } = await org.api
      .get(URLS)
      .query({ [field]: value })
      .expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('refuses a parameter given twice, and ignores unknown ones', async () => {
    const { body } = await org.api.get(`${URLS}?size=1&size=2`).expect(400);
    expect(body.details[0].field).toBe('size');
    await org.api.get(`${URLS}?sort=secret&order=1;DROP%20TABLE%20links`).expect(200);
  });

  it('finds links with the ad page', async () => {
    await createLink(org, { title: 'plain' });
    await createLink(org, { title: 'ad', showAdPage: true });
    expect(await titles({ showAdPage: true })).toEqual(['ad']);
    expect(await titles({ showAdPage: false })).toEqual(['ad', 'plain']);
    expect(await titles({ showAdPage: true, keyword: 'spring' })).toEqual(['ad']);
  });

  it('finds links by the time of their creation, whole seconds included', async () => {
    for (const time of ['2026-11-18T23:59:59.900Z', '2026-11-19T00:00:00.400Z', '2026-11-20T12:00:00.999Z']) {
      app.clock.set(time);
      await createLink(org, { title: time.slice(0, 19) });
    }
    const [old, middle, recent] = ['2026-11-18T23:59:59', '2026-11-19T00:00:00', '2026-11-20T12:00:00'];
    expect(await titles({ createdAfter: '2026-11-19T00:00:00Z' })).toEqual([recent, middle]);
    expect(await titles({ createdBefore: '2026-11-19T00:00:00Z' })).toEqual([middle, old]);
    expect(await titles({ createdAfter: '2026-11-19', createdBefore: '2026-11-19' })).toEqual([middle]);
    expect(await titles({ createdAfter: '2026-11-20 12:00:01' })).toEqual([]);
    expect(await titles({ createdBefore: '2026-11-20T21:00:00+09:00', createdAfter: '2026-11-20' })).toEqual([
      recent,
    ]);
    expect(await titles({ createdAfter: '2026-11-21', createdBefore: '2026-11-19' })).toEqual([]);
  });

  it('searches destination and code, wildcards being plain characters', async () => {
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
    // Not the title: the document says URL and short code.
    expect(await titles({ keyword: 'percent' })).toEqual([]);
    expect(await list({ keyword: 'example', size: 2, page: 1 })).toMatchObject({
      totalElements: 5,
      totalPages: 3,
    });
  });

  it('finds no deleted link and none of another organization', async () => {
    const other = await createOrganization(app);
    await createLink(other, { url: 'https://unique.example.com' });
    const gone = await createLink(org, { url: 'https://unique.example.com' });
    await org.api.delete(`${URLS}/${gone.id}`).expect(204);
    expect(await list({ keyword: 'unique.example' })).toMatchObject({ content: [], totalElements: 0 });
  });
});
