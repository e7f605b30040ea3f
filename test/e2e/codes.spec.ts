import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { createOrganization, type TestOrganization } from '../support/factories';
import { VALID_LINK } from '../support/links';
import { AddressesWithoutTriggers1700000012900 } from '../../migrations/1700000012900-addresses-without-triggers';
import { connectDataSource } from '../../src/infrastructure/database/data-source';
import { createTestDatabase, useTestApp } from '../support/test-app';

const URLS = '/api/v1/service/urls';

/** Codes that are taken, and whose they are: by links, campaigns and former codes. */
const EXPECTED = `
  SELECT domain_id || '/' || code AS address, 1 AS target_kind, organization_id, id AS target_id
    FROM links WHERE NOT code_released
   UNION ALL
  SELECT domain_id || '/' || alias, 2, organization_id, id FROM campaigns WHERE NOT alias_released
   UNION ALL
  SELECT domain_id || '/' || code, target_kind, organization_id, target_id FROM former_codes ORDER BY 2, 1`;
const ADDRESSES = 'SELECT address, target_kind, organization_id, target_id FROM addresses ORDER BY 2, 1';

describe.each([
  ['', false],
  [' beside the triggers of the version before', true],
])('addresses%s', (_where, isUpgraded) => {
  const app = useTestApp();
  let org: TestOrganization;
  let other: TestOrganization;

  beforeAll(async () => {
    org = await createOrganization(app);
    other = await createOrganization(app);
    // With organizations, the migration leaves triggers for the version before.
    if (isUpgraded) await repeatMigration(app.database.url);
    const [found] = await app.sql<{ triggers: number }>(
      `SELECT count(*)::int AS triggers FROM pg_trigger WHERE tgname LIKE '%\\_addresses\\_%'`,
    );
    expect(found?.triggers).toBe(isUpgraded ? 9 : 0);
  });
  afterEach(async () => {
    const expected = await app.sql(EXPECTED);
    expect(expected.length).toBeGreaterThan(0);
    expect(await app.sql(ADDRESSES)).toEqual(expected);
  });

  const create = async (path: string, body: object): Promise<number> => {
    const valid = path === URLS ? VALID_LINK : VALID_CAMPAIGN;
    const { body: created } = await org.api
      .post(path)
      .send({ ...valid, ...body })
      .expect(201);
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
      await api.put(`${path}/${id}`).send(body).expect(200);
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
          api.post(path).send({ ...valid, [alias]: `wanted-${round}` }),
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
        [org, other].map(({ api }, i) => api.post(`${URLS}/bulk`).send({ items: items(i) })),
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
      bodies.map((body) => org.api.post(path).send({ ...valid, ...body, externalId })),
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
        org.api.post(`${URLS}/bulk`).send({ items }),
        org.api.post(`${URLS}/bulk`).send({ items: items.toReversed() }),
        org.api.post(URLS).send({ ...items[0], customAlias: `many-${round}` }),
      ]);
      const created = answers.reduce((sum, { body }) => sum + ((body.created as number | undefined) ?? 0), 0);
      expect(created + (answers[2].status === 201 ? 1 : 0)).toBe(2);
    }
  });
});

describe('addresses of before', () => {
  it('are filled by an upgrade, beside which the version before runs on', async () => {
    const { url } = await createTestDatabase();
    const dataSource = await connectDataSource({ url }, 2);
    const isThere = async () =>
      (await dataSource.query<unknown[]>(`SELECT FROM pg_tables WHERE tablename = 'addresses'`)).length > 0;
    while (await isThere()) await dataSource.undoLastMigration({ transaction: 'each' });
    await dataSource.query(
      `INSERT INTO organizations (name, time_zone, base_currency, default_region, plan, created_at, updated_at)
       SELECT 'Acme', 'UTC', 'USD', 'US', 'PRO', now(), now() FROM generate_series(1, 2)`,
    );
    const add = (code: string, organization: number, rest = 'true, false, NULL') =>
      dataSource.query(
        `INSERT INTO links (organization_id, code, original_url, created_at, updated_at, is_alias, code_released, deleted_at)
         SELECT id, $1 || n, 'https://a.example', now(), now(), ${rest}
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM organizations) AS o,
                generate_series(1, 3) AS n WHERE place = $2 ON CONFLICT DO NOTHING`,
        [code, organization],
      );
    const retire = (code: string) =>
      dataSource.query(
        `INSERT INTO former_codes (target_kind, domain_id, code, target_id, organization_id, is_alias, leads, created_at)
         SELECT 1, 0, $1, id, organization_id, true, true, now() FROM links WHERE code = 'a1'`,
        [code],
      );
    await add('a', 1);
    await add('released', 1, 'true, true, now()');
    await add('deleted', 1, 'true, false, now()');
    await retire('former');
    await dataSource.runMigrations({ transaction: 'each' });
    const check = async (count: number) => {
      const expected = await dataSource.query<unknown[]>(EXPECTED);
      expect(expected).toHaveLength(count);
      expect(await dataSource.query<unknown[]>(ADDRESSES)).toEqual(expected);
    };
    await check(7);
    await add('a', 2);
    await add('released', 2);
    await check(10);
    await expect(add('former', 2)).resolves.toBeDefined();
    await check(13);
    await expect(
      dataSource.query(`UPDATE links SET code = 'former' WHERE code = 'released1' AND NOT code_released`),
    ).rejects.toThrow('addresses_pkey');
    await dataSource.destroy();
  });
});

async function repeatMigration(url: string): Promise<void> {
  const dataSource = await connectDataSource({ url }, 1);
  const runner = dataSource.createQueryRunner();
  const migration = new AddressesWithoutTriggers1700000012900();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  await dataSource.destroy();
}
