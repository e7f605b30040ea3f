import { Database } from '../../src/infrastructure/database/database';
import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { ApiClient, createOrganization, consoleApi } from '../support/factories';
import { createApp, createDomain, createLink, URLS, VALID_LINK } from '../support/links';
import { OpenApi } from '../support/openapi';
import { cataloguedEvents, keepEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';
import { visit } from '../support/visits';

type Body = Record<string, unknown>;
type Made = Record<string, unknown> & { id: number };

const DESTINATION = { link: VALID_LINK, campaign: VALID_CAMPAIGN } as const;
const PATH = { link: URLS, campaign: CAMPAIGNS } as const;
const KINDS = ['link', 'campaign'] as const;
type Kind = (typeof KINDS)[number];

describe('findIfExists', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const other = useTestApp(() => ({ database: app.database }));
  const org = perTest(() => createOrganization(app));
  const word = () => `w${org.organizationId}`;

  const send = (kind: Kind, body: Body = {}, api: ApiClient = org.api) =>
    api.post(PATH[kind], { ...DESTINATION[kind], findIfExists: true, ...body });
  const ask = async (kind: Kind, body: Body = {}): Promise<Made & { status: number }> => {
    const response = await send(kind, body);
    return { ...(response.body as Made), status: response.status };
  };
  const created = async (kind: Kind, body: Body = {}) => (await send(kind, body).expect(201)).body as Made;
  const found = async (kind: Kind, body: Body = {}) => (await send(kind, body).expect(200)).body as Made;
  const put = (kind: Kind, id: number, body: Body) => org.api.put(`${PATH[kind]}/${id}`, body).expect(200);
  const countOf = async (kind: Kind) =>
    (
      await org.api.read<{
        totalElements: number;
      }>(PATH[kind], { size: 1, archived: 'all' })
    ).totalElements;
  const auditOf = async (kind: Kind) =>
    (
      await app.sql<{ id: string }>('SELECT id FROM audit_log WHERE organization_id = $1 AND action = $2', [
        org.organizationId,
        `${kind}.create`,
      ])
    ).length;

  /** A value other than the default of every optional setting that has the same name for both kinds. */
  const settings = async (): Promise<Body> => ({
    externalId: 'order-1',
    title: 'Title',
    ogTitle: 'Open Graph title',
    ogDescription: 'Description',
    ogImageUrl: 'https://shop.example.com/a.png',
    iosAppId: await createApp(app, org, 'iOS', `ios-${word()}`),
    androidAppId: await createApp(app, org, 'Android', `android-${word()}`),
    iosDeepLinkPath: '/ios',
    androidDeepLinkPath: '/android',
    mobileTargetUrl: 'https://m.shop.example.com/spring',
    utmSource: 'source',
    utmMedium: 'medium',
    utmTerm: 'term',
    utmContent: 'content',
    utmCampaign: 'campaign',
    goalType: 'purchase',
    enabled: false,
    archived: true,
    startsAt: '2026-11-25 09:00',
    notStartedUrl: 'https://shop.example.com/soon',
    expiredUrl: 'https://shop.example.com/over',
    forwardQuery: false,
    showAdPage: true,
    appendClickId: true,
    customDomainId: await createDomain(app, org, `${word()}.example`, 'ACTIVE'),
    tags: ['Spring', 'sale'],
    maxClicks: 100,
    targeting: [{ countries: ['KR'], url: 'https://shop.example.com/kr' }],
    variants: [
      { url: 'https://shop.example.com/a', weight: 1 },
      { url: 'https://shop.example.com/b', weight: 3 },
    ],
  });
  const all = async (kind: Kind): Promise<Body> =>
    kind === 'link'
      ? { ...(await settings()), expirationDate: '2026-12-31' }
      : { ...(await settings()), name: 'Another name', expiresAt: '2026-12-31' };

  it.each(KINDS)('returns the %s that has the same destination, and otherwise creates it', async (kind) => {
    await keepEvents(app, org);
    const made = await created(kind);
    expect(await found(kind)).toEqual(made);
    expect((await org.api.get(`${PATH[kind]}/${made.id}`).expect(200)).body).toEqual(made);
    const elsewhere = await created(
      kind,
      kind === 'link'
        ? { url: 'https://shop.example.com/Spring' }
        : { originalUrl: 'https://shop.example.com/spring/' },
    );
    expect(elsewhere.id).not.toBe(made.id);
    const again = await org.api.post(PATH[kind], { ...DESTINATION[kind], findIfExists: false }).expect(201);
    expect((again.body as Made).id).not.toBe(made.id);
    expect((await found(kind)).id).toBe(made.id);
    expect(await countOf(kind)).toBe(3);
    expect(await auditOf(kind)).toBe(3);
    expect((await cataloguedEvents(app, org.organizationId)).map(({ name }) => name)).toEqual(
      Array.from({ length: 3 }, () => `${kind}.created`),
    );
  });

  it.each(KINDS)('compares every setting of a %s', async (kind) => {
    const values = await all(kind);
    const api = await OpenApi.of(app);
    const route = api.ownRoutes().find(({ method, path }) => method === 'post' && path === PATH[kind]);
    const fields = Object.keys((route && api.bodyOf(route)?.properties) ?? {});
    const others = ['url', 'originalUrl', 'customAlias', 'alias', 'password', 'findIfExists'];
    expect(Object.keys(values).sort()).toEqual(fields.filter((field) => !others.includes(field)).sort());

    for (const [field, value] of Object.entries(values)) {
      const made = await ask(kind, { [field]: value });
      expect([field, made.status]).toEqual([field, 201]);
      const again = await ask(kind, { [field]: value });
      expect([field, again.status, again.id]).toEqual([field, 200, made.id]);
    }
    // An absent setting is not that of any of them, nor is a given one.
    await created(kind);
    const everything = { ...values, externalId: 'order-2' };
    const { id } = await created(kind, everything);
    expect((await found(kind, everything)).id).toBe(id);
  });

  it('takes what means the same for the same', async () => {
    const plain = await created('link', { title: null, enabled: null });
    for (const body of [
      {
        title: '',
        tags: [],
        targeting: [],
        variants: null,
        enabled: true,
        archived: false,
        forwardQuery: true,
      },
      {
        utmSource: '',
        ogTitle: null,
        customDomainId: null,
        iosAppId: null,
        showAdPage: false,
        customAlias: null,
      },
      {
        externalId: '',
        startsAt: null,
        expirationDate: null,
        maxClicks: null,
        appendClickId: null,
        password: null,
      },
    ]) {
      expect((await found('link', body)).id).toBe(plain.id);
    }
    const tagged = await created('link', { tags: ['Spring', 'Sale'] });
    expect((await found('link', { tags: [' sale', 'SPRING', 'spring'] })).id).toBe(tagged.id);
    expect((await ask('link', { tags: ['sale'] })).status).toBe(201);
    expect((await ask('link', { tags: ['sale', 'spring', 'x'] })).status).toBe(201);
    const timed = await created('link', { expirationDate: '2026-12-31', startsAt: '2026-11-25' });
    const times = { expirationDate: '2026-12-31T23:59:59Z', startsAt: '2026-11-25T09:00:00+09:00' };
    expect((await found('link', times)).id).toBe(timed.id);
    const routed = await created('link', { targeting: [{ os: [' iOS '], url: VALID_LINK.url }] });
    const rule = { url: VALID_LINK.url, os: ['iOS'], countries: [], devices: null };
    expect((await found('link', { targeting: [rule] })).id).toBe(routed.id);
    expect(routed.id).not.toBe(plain.id);
  });

  it('compares the utm values that visitors arrive with', async () => {
    const url = 'https://shop.example.com/?utm_source=a&utm_campaign=b';
    const { id } = await created('link', { url });
    expect((await found('link', { url, utmCampaign: 'b' })).id).toBe(id);
    expect((await ask('link', { url, utmCampaign: 'c' })).status).toBe(201);
    // As links were before `utmCampaign` was a field.
    await app.alter('UPDATE links SET utm_campaign = NULL WHERE id = $1', [id]);
    expect((await found('link', { url })).id).toBe(id);
  });

  it('does not count what was read from the page, but what its owner set or cleared', async () => {
    const { id } = await created('link', { ogTitle: 'Own' });
    await app.alter(`UPDATE links SET og_description = 'From the page' WHERE id = $1`, [id]);
    expect(await found('link', { ogTitle: 'Own' })).toMatchObject({ id, ogDescription: 'From the page' });
    expect((await ask('link', { ogTitle: 'Own', ogDescription: 'From the page' })).status).toBe(201);
    await put('link', id, { ogDescription: null });
    expect((await ask('link', { ogTitle: 'Own' })).id).not.toBe(id);
  });

  it.each(KINDS)('compares the alias of a %s only if one is given', async (kind) => {
    const field = kind === 'link' ? 'customAlias' : 'alias';
    const aliased = await created(kind, { [field]: word() });
    expect((await found(kind)).id).toBe(aliased.id);
    expect((await found(kind, { [field]: word() })).id).toBe(aliased.id);
    const second = await created(kind, { [field]: `${word()}-2` });
    expect(second.id).not.toBe(aliased.id);
    expect((await found(kind)).id).toBe(aliased.id);
    const { body } = await send(kind, { [field]: word(), title: 'Other' }).expect(409);
    expect(body).toMatchObject({ code: 'ALIAS_TAKEN' });
    await put(kind, aliased.id, { [field]: `${word()}-3` });
    // The former alias still leads there, but is no longer its alias.
    await send(kind, { [field]: word() }).expect(409);
    expect((await found(kind, { [field]: `${word()}-3` })).id).toBe(aliased.id);
    const stranger = await createOrganization(app);
    await send(kind, { [field]: `${word()}-3` }, stranger.api).expect(409);
    expect((await ask(kind, { externalId: 'a' })).status).toBe(201);
    await send(kind, { externalId: 'a', title: 'Other' }).expect(409);
  });

  it.each(KINDS)('returns the oldest %s, as it is now', async (kind) => {
    const [first, second] = [await created(kind), await created(kind, { title: 'x' })];
    await put(kind, second.id, { title: null });
    expect((await found(kind)).id).toBe(first.id);
    await put(kind, first.id, { title: 'y' });
    expect((await found(kind)).id).toBe(second.id);
    await app.sql(
      `INSERT INTO click_totals (organization_id, tracked_link_id, kind, slot, clicks, bot_clicks)
       VALUES ($1, $2, $3, 1, 7, 0)`,
      [org.organizationId, second.id, kind === 'link' ? 1 : 2],
    );
    expect(await found(kind)).toMatchObject({ id: second.id, clickCount: 7 });
    await org.api.delete(`${PATH[kind]}/${second.id}`).expect(204);
    const third = await created(kind);
    expect([first.id, second.id]).not.toContain(third.id);
  });

  it.each(KINDS)('finds no %s of another organization', async (kind) => {
    const stranger = await createOrganization(app);
    await send(kind, {}, stranger.api).expect(201);
    await created(kind);
  });

  it.each(KINDS)('finds a %s that is off or archived only if that was asked for', async (kind) => {
    const { id } = await created(kind);
    await put(kind, id, { archived: true });
    expect((await found(kind, { archived: true })).id).toBe(id);
    const second = await created(kind);
    expect(second.id).not.toBe(id);
    await put(kind, second.id, { enabled: false });
    expect((await found(kind, { enabled: false })).id).toBe(second.id);
    await created(kind);
  });

  it.each(KINDS)('finds a %s that the platform has disabled', async (kind) => {
    const { id } = await created(kind);
    const base = `${org.consolePath}/${kind}s/${id}`;
    await consoleApi(app).put(`${base}/disabled`, { reason: 'Phishing' }).expect(200);
    expect(await found(kind)).toMatchObject({ id, disabledReason: 'Phishing' });
  });

  it.each(KINDS)('does not count console settings other than those of a creation: %s', async (kind) => {
    const { id } = await created(kind);
    const path = `${org.consolePath}/${kind}s/${id}/settings`;
    const deduplication = { enabled: true, windowMinutes: 60 };
    await consoleApi(app).put(path, { deduplication }).expect(200);
    expect((await found(kind)).id).toBe(id);
    await consoleApi(app)
      .put(path, { adPage: { enabled: true } })
      .expect(200);
    expect((await ask(kind)).id).not.toBe(id);
  });

  it('finds nothing that has expired or is used up', async () => {
    const expiring = await created('link', { expirationDate: '2026-11-20 09:00' });
    const limited = await created('link', { maxClicks: 1 });
    expect((await found('link', { maxClicks: 1 })).id).toBe(limited.id);
    await visit(app, new URL(String(limited.link)).pathname).expect(302);
    expect((await created('link', { maxClicks: 1 })).id).not.toBe(limited.id);
    app.clock.set('2026-11-20T09:00:00Z');
    expect((await created('link')).id).not.toBe(expiring.id);
    const { body } = await send('link', { expirationDate: '2026-11-20 09:00' }).expect(400);
    expect(body).toMatchObject({ details: [{ field: 'expirationDate' }] });
  });

  it('is refused together with a password, and finds no link that has one', async () => {
    const { body } = await send('link', { password: 'open sesame' }).expect(400);
    const message = 'cannot be combined with findIfExists';
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field: 'password', message }] });
    const secret = await createLink(org, { password: 'open sesame' });
    expect((await created('link')).id).not.toBe(secret.id);
  });

  it.each(KINDS)('creates one %s for thirty equal requests to two processes', async (kind) => {
    await keepEvents(app, org);
    const second = new ApiClient(other, { 'X-API-KEY': org.apiKey });
    const alias = kind === 'link' ? 'customAlias' : 'alias';
    for (const [n, body] of [
      {},
      { [alias]: word(), title: 'With alias' },
      { externalId: 'x', title: 'With id' },
    ].entries()) {
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          send(kind, body, i % 2 ? second : org.api).set(
            i % 5 ? {} : { 'Idempotency-Key': `key-${word()}-${n}-${i}` },
          ),
        ),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array.from({ length: 29 }, () => 200), 201]);
      expect(new Set(responses.map((response) => (response.body as Made).id)).size).toBe(1);
    }
    expect(await countOf(kind)).toBe(3);
    expect(await auditOf(kind)).toBe(3);
    expect(await cataloguedEvents(app, org.organizationId)).toHaveLength(3);
  });

  it.each(KINDS)('looks each %s up in the index, whatever leads to the same destination', async (kind) => {
    const { id } = await created(kind, { title: 'title 77' });
    const [columns, values] =
      kind === 'link'
        ? ['code', `'many-' || n`]
        : ['code, name, folded_name', `'many-' || n, 'Spring sale', 'spring sale'`];
    await app.sql(
      `INSERT INTO ${kind}s (organization_id, original_url, title, og_auto, created_at, updated_at, ${columns})
       SELECT $1, $2, 'title ' || n, 7, now(), now(), ${values} FROM generate_series(1, 5000) AS n`,
      [org.organizationId, VALID_LINK.url],
    );
    await app.sql(`ANALYZE ${kind}s`);
    const hot = jest.spyOn(app.get(Database), 'hot');
    expect((await found(kind, { title: 'title 77' })).id).toBe(id);
    const call = hot.mock.calls.find(([{ name }]) => name === `${kind}s.find settings`);
    hot.mockRestore();
    const plan = JSON.stringify(
      await app.sql(`EXPLAIN (FORMAT JSON) ${call?.[0].text}`, [...(call?.[1] ?? [])]),
    );
    expect(plan).toContain(`${kind}s_settings_idx`);
  });

  it('answers an Idempotency-Key with its first response', async () => {
    const once = () => send('link').set('Idempotency-Key', `once-${word()}`);
    const first = await once().expect(201);
    const repeated = await once().expect(201);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect(repeated.body).toEqual(first.body);
    const key = `twice-${word()}`;
    const { id } = first.body as Made;
    expect((await send('link').set('Idempotency-Key', key).expect(200)).body).toMatchObject({ id });
    await org.api.delete(`${URLS}/${id}`).expect(204);
    expect((await send('link').set('Idempotency-Key', key).expect(200)).body).toMatchObject({ id });
    await created('link');
  });

  describe('at the limit of the plan', () => {
    const fill = () =>
      app.sql(
        `INSERT INTO link_counts (organization_id, slot, links) VALUES ($1, 1000, 1000000)
         ON CONFLICT (organization_id, slot) DO UPDATE SET links = excluded.links`,
        [org.organizationId],
      );

    it('finds links, and creates none', async () => {
      const { id } = await created('link');
      await fill();
      expect((await found('link')).id).toBe(id);
      expect((await send('link', { title: 'x' }).expect(403)).body).toMatchObject({ code: 'LIMIT_REACHED' });
      const items = [
        VALID_LINK,
        { ...VALID_LINK, findIfExists: true },
        { ...VALID_LINK, title: 'x', findIfExists: true },
      ];
      const { body } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
      expect(body).toMatchObject({
        created: 0,
        found: 1,
        failed: 2,
        results: [
          { status: 'failed', error: { code: 'LIMIT_REACHED' } },
          { status: 'found', url: { id }, error: null },
          { status: 'failed', error: { code: 'LIMIT_REACHED' } },
        ],
      });
      await org.api.post(`${URLS}/bulk`, { items: [VALID_LINK] }).expect(403);
    });
  });

  describe('of bulk items', () => {
    const bulk = async (items: Body[], api: ApiClient = org.api) =>
      (
        await api
          .post(`${URLS}/bulk`, { items: items.map((item) => ({ ...VALID_LINK, ...item })) })
          .expect(200)
      ).body as {
        created: number;
        found: number;
        failed: number;
        results: { status: string; url: Made | null; error: { code: string } | null }[];
      };
    const findIfExists = true;

    it('finds what exists, and creates the others', async () => {
      await keepEvents(app, org);
      const known = await createLink(org, { title: 'known', tags: ['b', 'a'] });
      const { results, ...counts } = await bulk([
        { title: 'known', tags: ['A', 'B'], findIfExists },
        { title: 'known', tags: ['a', 'b'] },
        { title: 'new', findIfExists },
        { title: 'new', findIfExists },
        { title: 'new', findIfExists, customAlias: `${word()}-a` },
        { title: 'new', findIfExists, password: 'open sesame' },
        { title: 'new', findIfExists, customAlias: `${word()}-a` },
        { title: 'taken', findIfExists, customAlias: `${word()}-a` },
        { title: 'taken', findIfExists, customAlias: `${word()}-a` },
        { title: 'known', tags: ['b', 'a'], findIfExists },
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'found',
        'created',
        'created',
        'found',
        'created',
        'failed',
        'found',
        'failed',
        'failed',
        'found',
      ]);
      expect(counts).toEqual({ created: 3, found: 4, failed: 3 });
      const ids = results.map(({ url }) => url?.id ?? null);
      expect([ids[0], ids[9]]).toEqual([known.id, known.id]);
      expect([ids[3], ids[6]]).toEqual([ids[2], ids[4]]);
      expect(new Set(ids).size).toBe(5);
      expect(results[0]?.url).toEqual((await org.api.get(`${URLS}/${known.id}`).expect(200)).body);
      expect(results[3]?.url).toEqual(results[2]?.url);
      expect(results.flatMap(({ error }) => error?.code ?? [])).toEqual([
        'VALIDATION_FAILED',
        'ALIAS_TAKEN',
        'ALIAS_TAKEN',
      ]);
      expect(await countOf('link')).toBe(4);
      expect(await auditOf('link')).toBe(4);
      expect(await cataloguedEvents(app, org.organizationId)).toHaveLength(4);
    });

    it('creates each once in concurrent requests, single ones included', async () => {
      const items = Array.from({ length: 50 }, (_, i) => ({ title: `t${i}`, findIfExists }));
      const second = new ApiClient(other, { 'X-API-KEY': org.apiKey });
      await Promise.all([
        ...[org.api, second, org.api, second].map((api) => bulk(items, api)),
        ...items.map((item, i) => send('link', item, i % 2 ? second : org.api)),
      ]);
      expect(await countOf('link')).toBe(50);
    });

    it('finds a thousand at once', async () => {
      const items = Array.from({ length: 1_000 }, (_, i) => ({ title: `t${i}`, findIfExists }));
      expect(await bulk(items)).toMatchObject({ created: 1_000, found: 0 });
      expect(await bulk(items)).toMatchObject({ created: 0, found: 1_000 });
    });
  });
});
