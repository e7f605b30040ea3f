import { DEFAULT_DOMAIN } from '../../src/modules/tracked-links/code-domains';
import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { createOrganization, type TestOrganization } from '../support/factories';
import { codeOf, createLink, SHORT_ORIGIN, URLS, VALID_LINK } from '../support/links';
import { perSuite, useTestApp } from '../support/test-app';
import { LinkCache } from '../../src/modules/tracked-links/tracked-link-cache';

/** Codes that are taken, and whose they are: by links, campaigns and former codes. */
const EXPECTED = `
  SELECT domain_id || '/' || code AS address, 1 AS kind, organization_id, id AS tracked_link_id
    FROM links WHERE NOT code_released
   UNION ALL
  SELECT domain_id || '/' || code, 2, organization_id, id FROM campaigns WHERE NOT code_released
   UNION ALL
  SELECT domain_id || '/' || code, kind, organization_id, tracked_link_id FROM former_codes ORDER BY 2, 1`;

/** What the table says. */
const ADDRESSES = 'SELECT address, kind, organization_id, tracked_link_id FROM addresses ORDER BY 2, 1';

const app = useTestApp();

describe('addresses', () => {
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));
  afterEach(async () => {
    const expected = await app.sql(EXPECTED);
    expect(expected.length).toBeGreaterThan(0);
    expect(await app.sql(ADDRESSES)).toEqual(expected);
  });

  const create = async (path: string, body: object): Promise<number> => {
    const valid = path === URLS ? VALID_LINK : VALID_CAMPAIGN;
    const { body: created } = await org.api.post(path, { ...valid, ...body }).expect(201);
    return created.id;
  };

  it.each([
    [URLS, 'customAlias'],
    [CAMPAIGNS, 'alias'],
  ])('of %s follow what is created, renamed, released, deleted and created again', async (path, alias) => {
    const { api } = org;
    await create(path, {});
    const id = await create(path, { [alias]: 'one' });
    for (const body of [{ [alias]: 'two' }, { [alias]: 'three', releaseOld: true }, { [alias]: 'one' }]) {
      await api.put(`${path}/${id}`, body).expect(200);
      expect(await app.sql(ADDRESSES)).toEqual(await app.sql(EXPECTED));
    }
    await api.delete(`${path}/${id}`).expect(204);
    expect(await app.sql(ADDRESSES)).toEqual(await app.sql(EXPECTED));
    await create(path, { [alias]: 'one' });
  });

  it.each([
    [URLS, 'customAlias'],
    [CAMPAIGNS, 'alias'],
  ])('of %s go to one of several organizations that want them at once', async (path, alias) => {
    const valid = path === URLS ? VALID_LINK : VALID_CAMPAIGN;
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        [org, other, org, other, org, other].map(({ api }) =>
          api.post(path, { ...valid, [alias]: `wanted-${round}` }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201,
        ...Array(5).fill(409),
      ]);
    }
  });

  it('of several links at once go to one of several organizations, and refuse no others', async () => {
    for (let round = 0; round < 5; round++) {
      const items = (own: number) =>
        [`common-${round}`, `own-${own}-${round}`].map((customAlias) => ({ ...VALID_LINK, customAlias }));
      const answers = await Promise.all(
        [org, other].map(({ api }, i) => api.post(`${URLS}/bulk`, { items: items(i) })),
      );
      const created = answers.map(({ body }) => body.created as number);
      expect(created.toSorted((a, b) => a - b)).toEqual([1, 2]);
    }
  });

  it.each([
    [URLS, 'customAlias'],
    [CAMPAIGNS, 'alias'],
  ])('of %s are free again when an external id is another’s', async (path, alias) => {
    const valid = path === URLS ? VALID_LINK : VALID_CAMPAIGN;
    const externalId = `external-${alias}`;
    const bodies = [{}, {}, {}].flatMap((body, i) => [body, { [alias]: `external-${i}` }]);
    const answers = await Promise.all(
      bodies.map((body) => org.api.post(path, { ...valid, ...body, externalId })),
    );
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code as string);
    expect(refused).toEqual(Array(5).fill('EXTERNAL_ID_TAKEN'));
  });

  it('of several links at once are free again when an external id is another’s', async () => {
    for (let round = 0; round < 5; round++) {
      const items = ['one', 'two'].map((externalId) => ({
        ...VALID_LINK,
        externalId: `${externalId}-${round}`,
      }));
      const answers = await Promise.all([
        org.api.post(`${URLS}/bulk`, { items }),
        org.api.post(`${URLS}/bulk`, { items: items.toReversed() }),
        org.api.post(URLS, { ...items[0], customAlias: `many-${round}` }),
      ]);
      const created = answers.reduce((sum, { body }) => sum + ((body.created as number | undefined) ?? 0), 0);
      expect(created + (answers[2].status === 201 ? 1 : 0)).toBe(2);
    }
  });
});

describe('codes and aliases', () => {
  const org = perSuite(() => createOrganization(app));
  const other = perSuite(() => createOrganization(app));

  const take = ({ api }: TestOrganization, customAlias: string, rest: object = {}) =>
    api.post(URLS, { ...VALID_LINK, customAlias, ...rest });
  const remove = ({ api }: TestOrganization, { id }: { id: number }) =>
    api.delete(`${URLS}/${id}`).expect(204);

  it.each(['a', '-', '_', 'Spring-Sale_2026', 'x'.repeat(50), '1234567', 'constructor', '__proto__'])(
    'accepts the alias %s',
    async (customAlias) => {
      const link = await createLink(org, { customAlias });
      expect(link.shortUrl).toBe(`${SHORT_ORIGIN}/${customAlias}`);
    },
  );

  it('is case-sensitive', async () => {
    const [lower, upper] = [
      await createLink(org, { customAlias: 'case' }),
      await createLink(org, { customAlias: 'CASE' }),
    ];
    expect(lower.id).not.toBe(upper.id);
    await take(org, 'CASE').expect(409);
  });

  it('returns a deleted alias only to the organization that had it', async () => {
    const first = await createLink(org, { customAlias: 'again' });
    await take(other, 'again').expect(409);
    await remove(org, first);
    const refused = await take(other, 'again').expect(409);
    expect(refused.body.code).toBe('ALIAS_TAKEN');
    const second = await createLink(org, { customAlias: 'again' });
    expect(second.id).not.toBe(first.id);
    await take(org, 'again').expect(409);
    await remove(org, second);
    await take(other, 'again').expect(409);
    await createLink(org, { customAlias: 'again' });
  });

  it('gives a deleted alias to one of 20 parallel requests', async () => {
    await remove(org, await createLink(org, { customAlias: 'contested' }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => take(i % 2 ? other : org, 'contested')),
    );
    const made = answers.flatMap(({ status }, i) => (status === 201 ? [i % 2] : []));
    expect(made).toEqual([0]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('never gives an alias to another organization during its deletion', async () => {
    for (let round = 0; round < 10; round++) {
      const link = await createLink(org, { customAlias: `race-${round}` });
      const [taken] = await Promise.all([take(other, `race-${round}`), remove(org, link)]);
      expect(taken.status).toBe(409);
    }
  });

  it('never reuses a generated code, not even for its organization', async () => {
    const link = await createLink(org);
    await remove(org, link);
    await take(org, codeOf(link)).expect(409);
    await take(other, codeOf(link)).expect(409);
  });

  it.each([
    'api',
    'API',
    'c',
    'C',
    'u',
    'sdk',
    'health',
    'metrics',
    'internal',
    'docs',
    'console',
    'Admin',
    'www',
    'static',
    'assets',
  ])('refuses the reserved word %s', async (customAlias) => {
    const { body } = await take(org, customAlias).expect(400);
    expect(body).toMatchObject({ code: 'RESERVED_ALIAS', details: [{ field: 'customAlias' }] });
  });

  it.each(['robots.txt', 'favicon.ico', '.well-known', '..', 'a b', 'a%2Fb', 'é'])(
    'refuses the invalid alias %s',
    async (customAlias) => {
      const { body } = await take(org, customAlias).expect(400);
      expect(body.code).toBe('VALIDATION_FAILED');
    },
  );

  it('invalidates a cached absence and a cached link immediately', async () => {
    const directory = app.get(LinkCache);
    expect(await directory.find(DEFAULT_DOMAIN, 'remembered')).toBeNull();
    const link = await createLink(org, { customAlias: 'remembered' });
    expect(await directory.find(DEFAULT_DOMAIN, 'remembered')).toMatchObject({
      id: link.id,
      originalUrl: VALID_LINK.url,
    });
    await org.api.put(`${URLS}/${link.id}`, { originalUrl: 'https://new.example.com/' }).expect(200);
    expect(await directory.find(DEFAULT_DOMAIN, 'remembered')).toMatchObject({
      originalUrl: 'https://new.example.com/',
    });
    await remove(org, link);
    expect(await directory.find(DEFAULT_DOMAIN, 'remembered')).toBeNull();
    const again = await createLink(org, { customAlias: 'remembered' });
    expect(await directory.find(DEFAULT_DOMAIN, 'remembered')).toMatchObject({ id: again.id });
  });
});
