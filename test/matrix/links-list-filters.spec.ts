import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { CAMPAIGNS } from '../support/campaigns';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { createApp, createDomain, URLS } from '../support/links';
import {
  expectedRows,
  filtersOf,
  type ListedRow,
  type ListQuery,
  NOW,
  type Places,
  queriesOf,
  rowsOf,
  SORTS,
} from '../support/list-oracle';
import { perSuite, useTestApp } from '../support/test-app';

/** More than the number from which lists walk an index instead of sorting all matches. */
const ROWS = 1_300;
const SEED = 20_261_120;

interface Page {
  content: { id: number }[];
  totalElements: number;
}

describe.each([
  ['link', URLS, 'keyword'],
  ['campaign', CAMPAIGNS, 'search'],
] as const)('The list of %ss', (kind, path, searchParameter) => {
  const app = useTestApp();
  let places: Places;
  let rows: ListedRow[];

  beforeAll(() => app.clock.set(NOW));
  const org = perSuite(() => createOrganization(app));
  beforeAll(async () => {
    places = {
      domains: [
        await createDomain(app, org, 'a.example', 'ACTIVE'),
        await createDomain(app, org, 'b.example', 'FAILED'),
      ],
      iosApps: [await createApp(app, org, 'iOS', 'ios-one'), await createApp(app, org, 'iOS', 'ios-two')],
      androidApps: [await createApp(app, org, 'Android', 'android-one')],
      users: [org.userId, 999_999],
    };
    rows = await load(org, rowsOf(kind, places, ROWS, SEED));
    // The same values elsewhere, which no list of the organization has.
    await load(await createOrganization(app), rowsOf(kind, places, 100, SEED));
    await app.sql(`ANALYZE ${kind}s`);
  });

  const load = async (of: TestOrganization, given: Omit<ListedRow, 'id'>[]): Promise<ListedRow[]> => {
    const target = kind === 'link' ? 1 : 2;
    const [columns, values] =
      kind === 'link'
        ? ['code, title, tags, tag_keys', 'code, title, tags, lower(tags::text)::text[]']
        : ['code, name, folded_name', 'code, title, lower(title)'];
    const made = await app.sql<{ id: number; code: string }>(
      `INSERT INTO ${kind}s (organization_id, original_url, domain_id, ios_app_id, android_app_id, utm_campaign,
                             show_ad_page, enabled, archived, created_by, created_at, updated_at, expires_at, ${columns})
       SELECT $1, destination, "domainId", "iosAppId", "androidAppId", "utmCampaign", "showAdPage", enabled, archived,
              "createdBy", "createdAt", "updatedAt", "expiresAt", ${values}
         FROM json_to_recordset($2) AS r (destination text, "domainId" bigint, "iosAppId" bigint, "androidAppId" bigint,
              "utmCampaign" text, "showAdPage" boolean, enabled boolean, archived boolean, "createdBy" bigint,
              "createdAt" timestamptz, "updatedAt" timestamptz, "expiresAt" timestamptz, code text, title text, tags text[])
       RETURNING id, code`,
      [of.organizationId, JSON.stringify(given)],
    );
    const ids = new Map(made.map(({ id, code }) => [code, id]));
    const loaded = given.map((row) => ({ ...row, id: ids.get(row.code) ?? 0 }));
    await app.sql(
      `INSERT INTO click_totals (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks)
       SELECT $1, id, ${target}, slot, CASE slot WHEN 1 THEN 1 ELSE clicks - 1 END, 5
         FROM json_to_recordset($2) AS r (id bigint, clicks bigint), generate_series(1, 2) AS slot WHERE clicks > 0`,
      [of.organizationId, JSON.stringify(loaded)],
    );
    await app.sql(
      `UPDATE link_health SET status = r.health FROM json_to_recordset($1) AS r (id bigint, health text)
        WHERE kind = ${target} AND tracked_link_id = r.id`,
      [JSON.stringify(loaded)],
    );
    return loaded;
  };
  const parametersOf = ({ search, ...query }: ListQuery) => ({
    ...query,
    ...(search !== undefined && { [searchParameter]: search }),
  });
  const list = async (query: ListQuery, page: { page: number; size: number }) =>
    await org.api.read<Page>(path, { ...parametersOf(query), ...page });
  const idsOf = ({ content }: Page) => content.map(({ id }) => id);
  const expected = (query: ListQuery) => expectedRows(kind, rows, query).map(({ id }) => id);

  it('filters by each parameter alone', async () => {
    const single: ListQuery[] = Object.entries(filtersOf(kind, places)).flatMap(([name, values]) =>
      values.map((value): ListQuery => ({ [name]: value })),
    );
    for (const query of single) {
      const ids = expected({ archived: 'all', ...query });
      // A filter that finds everything or nothing would show nothing.
      expect([query, ids.length > 0, ids.length < rows.length]).toEqual([query, true, true]);
      const page = await list({ archived: 'all', ...query }, { page: 0, size: 100 });
      expect([query, page.totalElements, idsOf(page)]).toEqual([query, ids.length, ids.slice(0, 100)]);
    }
  });

  it.each(SORTS[kind].flatMap((field) => [`${field},asc`, `${field},desc`]))(
    'has every row once in its pages, sorted by %s',
    async (sort) => {
      for (const query of [
        { sort },
        { sort, archived: 'all' },
        { sort, enabled: true },
      ] satisfies ListQuery[]) {
        const ids = expected(query);
        const pages = Math.ceil(ids.length / 100);
        const found: number[] = [];
        for (let page = 0; page < pages; page++) found.push(...idsOf(await list(query, { page, size: 100 })));
        expect([query, found]).toEqual([query, ids]);
        expect(new Set(found).size).toBe(ids.length);
      }
    },
  );

  it('equals a recomputation, whatever is combined', async () => {
    await fc.assert(
      fc.asyncProperty(
        queriesOf(kind, places),
        fc.constantFrom(1, 7, 100),
        fc.nat(),
        async (query, size, at) => {
          const ids = expected(query);
          const last = Math.max(0, Math.ceil(ids.length / size) - 1);
          for (const page of new Set([0, at % (last + 1), last + 1])) {
            const found = await list(query, { page, size });
            expect([found.totalElements, idsOf(found)]).toEqual([
              ids.length,
              ids.slice(page * size, (page + 1) * size),
            ]);
          }
        },
      ),
      { numRuns: 80, seed: SEED },
    );
  });

  it('finds nothing of ids that nothing has', async () => {
    for (const query of [
      { appId: 123_456_789 },
      { customDomainId: '123456789' },
      { createdBy: 5 },
      { utmCampaign: 'x' },
    ]) {
      expect(await list(query, { page: 0, size: 10 })).toMatchObject({ content: [], totalElements: 0 });
    }
  });

  it.each([
    ['customDomainId', '0'],
    ['customDomainId', '-1'],
    ['utmCampaign', ''],
    ['sort', 'secret'],
    ['sort', 'expiresAt,up'],
    ['sort', 'expires_at'],
  ])('refuses %s=%j by name', async (field, value) => {
    const { body } = await org.api.get(path, { [field]: value }).expect(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
  });

  it('is the same in the console', async () => {
    const query = { sort: 'expiresAt,desc', expired: false, size: 50 };
    const own = await org.api.get(path, query).expect(200);
    const consolePath = path.replace('service', `console/organizations/${org.organizationId}`);
    const { body } = await consoleApi(app).get(consolePath, query).expect(200);
    expect(body).toEqual(own.body);
  });

  if (kind === 'campaign') return;

  it('has its filters and orders in the export', async () => {
    const exported = async (query: ListQuery) => {
      const { text } = await org.api.get(`${path}/export`, parametersOf(query)).buffer(true).expect(200);
      return parse<{ id: string }>(text, { columns: true }).map(({ id }) => Number(id));
    };
    await fc.assert(
      fc.asyncProperty(queriesOf(kind, places), async (query) => {
        expect(await exported(query)).toEqual(expected(query));
      }),
      { numRuns: 50, seed: SEED },
    );
    for (const sort of SORTS[kind]) expect(await exported({ sort })).toEqual(expected({ sort }));
  });
});
