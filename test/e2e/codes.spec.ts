import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { createOrganization, type TestOrganization } from '../support/factories';
import { VALID_LINK } from '../support/links';
import { useTestApp } from '../support/test-app';

const URLS = '/api/v1/service/urls';

/** Codes that are taken, and whose they are: by links, campaigns and former codes. */
const EXPECTED = `
  SELECT domain_id || '/' || code AS address, 1 AS kind, organization_id, id AS tracked_link_id
    FROM links WHERE NOT code_released
   UNION ALL
  SELECT domain_id || '/' || alias, 2, organization_id, id FROM campaigns WHERE NOT alias_released
   UNION ALL
  SELECT domain_id || '/' || code, kind, organization_id, tracked_link_id FROM former_codes ORDER BY 2, 1`;
/** What the table says. */
const ADDRESSES = 'SELECT address, kind, organization_id, tracked_link_id FROM addresses ORDER BY 2, 1';

describe('addresses', () => {
  const app = useTestApp();
  let org: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    org = await createOrganization(app);
    other = await createOrganization(app);
  });
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
