import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hosts } from '../../src/modules/redirect/hosts';
import { parseShortPath } from '../../src/modules/redirect/redirect-request';
import { TrackedLinkLocator } from '../../src/modules/redirect/tracked-link-locator';
import { addAddresses } from '../support/addresses';
import { registerApp } from '../support/apps';
import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { heard } from '../support/eventually';
import { ApiClient, appApi, consoleApi, createOrganization } from '../support/factories';
import { createDomain, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

const DOMAINS = '/api/v1/service/custom-domains';

type Made = Record<string, unknown> & { id: number; shortUrl: string };

describe('codes of a custom domain without case', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const other = useTestApp(() => ({ database: app.database }));
  let domain: number;
  let path: string;
  const org = perTest(() => createOrganization(app));
  const host = () => `case${org.organizationId}.example.com`;
  beforeEach(async () => {
    domain = await createDomain(app, org, host(), 'ACTIVE');
    path = `${DOMAINS}/${domain}`;
  });

  const count = (caseSensitiveCodes: unknown) => org.api.patch(path, { caseSensitiveCodes });
  const fold = () => count(false).expect(200);
  const post = (customAlias?: string, body: object = {}, api = org.api) =>
    api.post(URLS, {
      url: `https://to.example.com/${customAlias}`,
      customDomainId: domain,
      customAlias,
      ...body,
    });
  const make = async (alias?: string, body: object = {}): Promise<Made> =>
    (await post(alias, body).expect(201)).body;
  const campaign = (alias: string, api = org.api) =>
    api.post(CAMPAIGNS, { ...VALID_CAMPAIGN, customDomainId: domain, alias });
  const collisions = async () => (await org.api.get(`${path}/code-collisions`).expect(200)).body;
  const inConsole = () => consoleApi(app);
  const console = (rest: string) => `${org.consolePath}/${rest}`;

  /** Where both processes lead from each path, or the status. */
  const leads = async (...paths: string[]) => {
    const one = async (process: typeof app, each: string) => {
      const { status, headers } = await visit(process, `/${each}`, { host: host() });
      return status === 302 ? String(headers.location).replace('https://to.example.com/', '') : status;
    };
    const [here, there] = await Promise.all(
      [app, other].map((process) => Promise.all(paths.map((each) => one(process, each)))),
    );
    expect(there).toEqual(here);
    return here;
  };

  it('are refused while codes collide, and lead from any spelling once none do', async () => {
    const [sale, small] = [await make('Sale'), await make('sale')];
    await make('Promo');
    const [one, two] = [
      (await campaign('Spring').expect(201)).body,
      (await campaign('SPRING').expect(201)).body,
    ];
    expect(await leads('Sale', 'sale', 'SALE')).toEqual(['Sale', 'sale', 404]);
    const named = {
      total: 2,
      collisions: [
        {
          kind: 'link',
          codes: [
            { id: sale.id, code: 'Sale' },
            { id: small.id, code: 'sale' },
          ],
        },
        {
          kind: 'campaign',
          codes: [
            { id: two.id, code: 'SPRING' },
            { id: one.id, code: 'Spring' },
          ],
        },
      ],
    };
    expect(await collisions()).toEqual(named);
    expect((await count(false).expect(409)).body).toMatchObject({ code: 'CODES_COLLIDE', ...named });
    expect(await leads('Sale', 'sale', 'SALE')).toEqual(['Sale', 'sale', 404]);
    // A former alias still leads; a released one and a deleted campaign do not.
    await org.api.put(`${URLS}/${small.id}`, { customAlias: 'other' }).expect(200);
    expect((await collisions()).total).toBe(2);
    await org.api.put(`${URLS}/${small.id}`, { customAlias: 'sale' }).expect(200);
    await org.api.put(`${URLS}/${small.id}`, { customAlias: 'other', releaseOld: true }).expect(200);
    await org.api.delete(`${CAMPAIGNS}/${two.id}`).expect(204);
    expect(await collisions()).toEqual({ total: 0, collisions: [] });
    expect((await fold()).body.caseSensitiveCodes).toBe(false);
    await heard(async () =>
      expect(await leads('Sale', 'sale', 'SALE', 'OTHER', 'promo', 'c/spring', 'none')).toEqual([
        ...['Sale', 'Sale', 'Sale', 'sale', 'Promo'],
        VALID_CAMPAIGN.originalUrl,
        404,
      ]),
    );
    await fold();
    const [entry] = (await inConsole().get(console('audit-log'), { size: 1 }).expect(200)).body.content;
    expect(entry.changes).toEqual({ caseSensitiveCodes: { from: true, to: false } });
    expect((await count(true).expect(200)).body.caseSensitiveCodes).toBe(true);
    await heard(async () =>
      expect(await leads('Sale', 'sale', 'SALE', 'other')).toEqual(['Sale', 404, 404, 'sale']),
    );
    await make('sale');
    expect(await leads('sale')).toEqual(['sale']);
  });

  it('can be asked for when the domain is added; bad input is named', async () => {
    const domainName = `new${host()}`;
    const added = await org.api.post(DOMAINS, { domainName, caseSensitiveCodes: false }).expect(201);
    expect(added.body).toMatchObject({ domainName, caseSensitiveCodes: false });
    expect((await org.api.get(path)).body.caseSensitiveCodes).toBe(true);
    expect((await count('no').expect(400)).body.details[0].field).toBe('caseSensitiveCodes');
    expect((await count(null).expect(200)).body.caseSensitiveCodes).toBe(true);
    const stranger = await createOrganization(app);
    await stranger.api.get(`${path}/code-collisions`).expect(404);
    await stranger.api.patch(path, { caseSensitiveCodes: false }).expect(404);
  });

  it('have one owner, whichever of a hundred requests to two processes is first', async () => {
    await fold();
    const second = new ApiClient(other, { 'X-API-KEY': org.apiKey });
    for (const create of [post, (alias: string, _: object, api: ApiClient) => campaign(alias, api)]) {
      const made = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          create(n % 2 ? 'Abc' : 'aBC', {}, n % 4 < 2 ? org.api : second),
        ),
      );
      const outcomes = made.map(({ status, body }) => body.code ?? status);
      expect(outcomes.toSorted()).toEqual([201, ...Array<string>(99).fill('ALIAS_TAKEN')]);
    }
  });

  it('are one in bulk requests and files, between their items too', async () => {
    await make('Taken');
    await fold();
    const aliases = ['New', 'new', 'TAKEN', 'fine'];
    const body = {
      items: aliases.map((customAlias) => ({ ...VALID_LINK, customDomainId: domain, customAlias })),
    };
    const codes = (await org.api.post(`${URLS}/bulk`, body).expect(200)).body.results.map(
      ({ url, error }: { url: { shortUrl: string } | null; error: { code: string } }) =>
        url?.shortUrl ?? error.code,
    );
    expect(codes).toEqual(['New', 'ALIAS_TAKEN', 'ALIAS_TAKEN', 'fine']);
    const file = `url,alias,domain\n${['Row', 'ROW', 'fine'].map((alias) => `${VALID_LINK.url},${alias},${host()}\n`).join('')}`;
    const send = (query: string) =>
      org.api.post(`${URLS}/import${query}`).type('text/csv').send(file).expect(200);
    for (const query of ['?dryRun=true', '']) {
      const { created, errors } = (await send(query)).body;
      expect([
        created,
        errors.map((error: { line: number; code: string }) => [error.line, error.code]),
      ]).toEqual([
        1,
        [
          [3, 'ALIAS_TAKEN'],
          [4, 'ALIAS_TAKEN'],
        ],
      ]);
    }
  });

  it('are found, checked, moved and reused in any spelling', async () => {
    await fold();
    const link = await make('Sale');
    const found = await post('SALE', { url: 'https://to.example.com/Sale', findIfExists: true }).expect(200);
    expect(found.body).toMatchObject({ id: link.id, shortUrl: 'Sale' });
    const available = async (alias: string, linkId?: number) => {
      const query = { alias, customDomainId: domain, ...(linkId && { linkId }) };
      return (await inConsole().get(console('urls/alias-availability'), query).expect(200)).body.available;
    };
    const move = async (customAlias: string, body: object = {}) =>
      (await org.api.put(`${URLS}/${link.id}`, { customAlias, ...body }).expect(200)).body;
    expect([await available('sale'), await available('sale', link.id)]).toEqual([false, true]);
    expect(await move('SALE')).toMatchObject({ shortUrl: 'SALE', formerAliases: [] });
    expect(await move('Promo')).toMatchObject({ shortUrl: 'Promo', formerAliases: ['SALE'] });
    expect(await leads('sale', 'promo')).toEqual(['Sale', 'Sale']);
    expect([await available('sAle'), await available('sAle', link.id)]).toEqual([false, true]);
    expect(await move('sAle')).toMatchObject({ shortUrl: 'sAle', formerAliases: ['Promo'] });
    expect(await move('SALE', { releaseOld: true })).toMatchObject({ formerAliases: ['Promo'] });
    expect(await move('last', { releaseOld: true })).toMatchObject({ formerAliases: ['Promo'] });
    expect(await leads('Sale', 'PROMO', 'Last')).toEqual([404, 'Sale', 'Sale']);
    await make('sale');
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    await heard(async () => expect(await leads('promo', 'last')).toEqual([404, 404]));
    await make('PROMO');
    await make('LAST');
    expect(await leads('sale', 'promo', 'last')).toEqual(['sale', 'PROMO', 'LAST']);
    await count(true).expect(200);
    await heard(async () => expect(await leads('sale', 'promo', 'LAST')).toEqual(['sale', 404, 'LAST']));
  });

  it('keep the spellings that one link had while case counted', async () => {
    const link = await make('Sale');
    const move = (customAlias: string, body: object = {}) =>
      org.api.put(`${URLS}/${link.id}`, { customAlias, ...body }).expect(200);
    await move('sale');
    expect(await collisions()).toEqual({ total: 0, collisions: [] });
    await fold();
    expect((await move('new', { releaseOld: true })).body.formerAliases).toEqual([]);
    await heard(async () => expect(await leads('Sale', 'sale', 'NEW')).toEqual([404, 404, 'Sale']));
    await make('SALE');
    expect(await leads('sale')).toEqual(['SALE']);
  });

  it('are generated of letters that look unlike one another', async () => {
    await fold();
    const { results } = (
      await org.api.post(`${URLS}/bulk`, {
        items: Array.from({ length: 20 }, () => ({ ...VALID_LINK, customDomainId: domain })),
      })
    ).body as { results: { url: Made }[] };
    const codes = [...results.map(({ url }) => url.shortUrl), (await make()).shortUrl];
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{8}$/);
    expect(await leads(String(codes[0]).toUpperCase())).toEqual([VALID_LINK.url]);
  });

  it('resolve in apps, below their paths and in traces', async () => {
    await fold();
    const registered = await registerApp(org, { platform: 'iOS' });
    const link = await make('Sale', { iosAppId: registered.id });
    const appPath = registered.path;
    const resolve = '/api/v1/sdk/mobile/deeplink/resolve-shorturl';
    const resolved = await appApi(app, registered).get(`${resolve}/${appPath}/SALE`).expect(200);
    expect(resolved.body).toMatchObject({ urlId: link.id, shortCode: 'Sale' });
    expect(await leads(`${appPath}/sALE`, `${appPath.toUpperCase()}/Sale`)).toEqual(['Sale', 404]);
    const trace = async (code: string) =>
      (
        await inConsole()
          .get(console('links/trace'), { url: `${host()}/${code}` })
          .expect(200)
      ).body;
    expect(await trace('SALE')).toMatchObject({ link: { id: link.id } });
    const searched = await org.api.get(URLS, { keyword: `https://${host()}/sALE` }).expect(200);
    expect(searched.body.content).toHaveLength(1);
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    expect(await trace('sale')).toMatchObject({ reason: 'DELETED' });
  });

  it('lead right when they are created while the domain changes', async () => {
    const second = new ApiClient(other, { 'X-API-KEY': org.apiKey });
    for (const caseSensitiveCodes of [false, true, false]) {
      const name = (n: number) =>
        `New${String(caseSensitiveCodes)}${n}x${Math.random().toString(36).slice(2, 6)}`;
      const creations = Array.from({ length: 40 }, async (_, n) => {
        const { body } = await post(name(n), {}, n % 2 ? org.api : second).expect(201);
        return String(body.shortUrl);
      });
      const [codes] = await Promise.all([Promise.all(creations), count(caseSensitiveCodes).expect(200)]);
      await heard(async () => expect(await leads(...codes)).toEqual(codes));
      const spelled = codes.map((code) => code.toUpperCase());
      await heard(async () =>
        expect(await leads(...spelled)).toEqual(caseSensitiveCodes ? codes.map(() => 404) : codes),
      );
    }
  });

  it('are told apart in ten thousand pairs, until one of each is gone, on every process', async () => {
    const pairs = 10_000;
    const rows = await app.sql<{ id: number; code: string }>(
      `INSERT INTO links (organization_id, domain_id, code, is_alias, original_url, created_at, updated_at)
       SELECT $1::bigint, $2::bigint, word || n, true, 'https://to.example.com/' || word || n, now(), now()
         FROM generate_series(1, ${pairs}) AS n, unnest(ARRAY['Pair', 'pair']) AS word
       RETURNING id, code`,
      [org.organizationId, domain],
    );
    await addAddresses((sql) => app.sql(sql));
    await app.sql('ANALYZE links, addresses');
    // One in 50 is asked for, which takes a process a millisecond.
    const asked = rows.filter(({ code }) => Number(code.slice(4)) % 50 === 0);
    const idOf = new Map(asked.map(({ id, code }) => [code, id]));
    /** Codes with which a process leads elsewhere than to these links. */
    const wrong = async (process: typeof app, expected: ReadonlyMap<string, number | undefined>) => {
      const found = await process.get(Hosts).find(host());
      const locator = process.get(TrackedLinkLocator);
      const isWrong = async ([code, id]: [string, number | undefined]) => {
        const shortPath = parseShortPath(`/${code}`);
        const located = found && locator.locate(found, `/${code}`)?.trackedLink;
        const link = located ?? (found && shortPath && (await locator.find(found, shortPath)));
        return link?.id === id ? [] : [code];
      };
      return (await Promise.all([...expected].map(isWrong))).flat();
    };
    const bothRight = async (expected: ReadonlyMap<string, number | undefined>) =>
      expect(await Promise.all([wrong(app, expected), wrong(other, expected)])).toEqual([[], []]);
    await bothRight(idOf);
    const refused = (await count(false).expect(409)).body;
    expect(refused.total).toBe(pairs);
    expect(refused.collisions).toHaveLength(100);
    const first = rows
      .filter(({ code }) => /^.air1$/.test(code))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1));
    expect(refused.collisions[0].codes).toEqual(first);
    await bothRight(idOf);
    const small = asked.filter(({ code }) => code.startsWith('pair'));
    const body = { ids: small.map(({ id }) => id), delete: true };
    await inConsole().post(console('urls/changes'), body).expect(200);
    // The trigger of an UPDATE runs once for each row, and takes longer with every row of the transaction.
    await app.sql(`DELETE FROM links WHERE domain_id = $1 AND code LIKE 'pair%' AND deleted_at IS NULL`, [
      domain,
    ]);
    await app.sql(`DELETE FROM addresses WHERE address LIKE $1 AND tracked_link_id <> ALL ($2)`, [
      `${domain}/pair%`,
      small.map(({ id }) => id),
    ]);
    const kept = new Map([...idOf].filter(([code]) => code.startsWith('Pair')));
    // The links that are left lead right before, while and after the domain changes, either way.
    const change = async (caseSensitiveCodes: boolean) => {
      const state = { done: false };
      const changed = count(caseSensitiveCodes)
        .expect(200)
        .then(() => (state.done = true));
      while (!state.done) {
        await bothRight(kept);
        await nextTurn();
      }
      await changed;
      await bothRight(kept);
    };
    await change(false);
    const spelled = new Map(
      [...kept].flatMap(([code, id]) => [
        [code.toLowerCase(), id],
        [code.toUpperCase(), id],
      ]),
    );
    await heard(() => bothRight(spelled));
    await change(true);
    await heard(() => bothRight(new Map([...spelled].map(([code]) => [code, undefined]))));
  });
});
