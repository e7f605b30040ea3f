import type { TrackedLinkResponse as Shown } from '../../src/modules/tracked-links/fields/tracked-link.dto';
import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { appApi, createOrganization } from '../support/factories';
import { eventually, heard } from '../support/eventually';
import { registerApp } from '../support/apps';
import { createDomain, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';
import { visit, type VisitOptions } from '../support/visits';

const RESOLVE = '/api/v1/sdk/mobile/deeplink/resolve-shorturl';

const KINDS = [
  {
    name: 'link',
    path: URLS,
    table: 'links',
    valid: VALID_LINK,
    alias: 'customAlias',
    search: 'keyword',
    prefix: '/',
  },
  {
    name: 'campaign',
    path: CAMPAIGNS,
    table: 'campaigns',
    valid: VALID_CAMPAIGN,
    alias: 'alias',
    search: 'search',
    prefix: '/c/',
  },
];

const app = useTestApp();
const second = useTestApp(() => ({ database: app.database }));

describe.each(KINDS)('the alias of a $name', ({ name, path, table, valid, alias, search, prefix }) => {
  beforeEach(() => app.clock.set('2026-11-20T08:32:00Z'));
  const org = perTest(() => createOrganization(app));
  const word = (text: string) => `${text}-${org.organizationId}`;

  const create = async (body: object = {}, by = org): Promise<Shown> =>
    (await by.api.post(path, { ...valid, ...body }).expect(201)).body;
  const named = (text: string, body: object = {}) => create({ [alias]: word(text), ...body });
  const move = ({ id }: Shown, text: string, body: object = {}) =>
    org.api.put(`${path}/${id}`, { [alias]: text, ...body });
  const moved = async (link: Shown, text: string, body: object = {}): Promise<Shown> =>
    (await move(link, word(text), body).expect(200)).body;
  const refusal = async (request: PromiseLike<{ status: number; body: { code: string } }>) => {
    const { status, body } = await request;
    return [status, body.code];
  };
  const take = (text: string, by = org) => by.api.post(path, { ...valid, [alias]: text });
  const codeIn = ({ link }: Shown) => link.slice(link.lastIndexOf('/') + 1);
  const remove = ({ id }: Shown) => org.api.delete(`${path}/${id}`).expect(204);

  /** Where both processes lead from each code; a status when it is no redirect. */
  async function leads(codes: readonly string[], options: VisitOptions = {}): Promise<(string | number)[][]> {
    const one = async (process: typeof app, code: string) => {
      const { status, headers } = await visit(process, `${prefix}${code}`, options);
      if (status === 302) expect(headers['cache-control']).toMatch(/no-store|private/);
      return status === 302 ? String(headers.location).replace(/[?#].*/, '') : status;
    };
    return Promise.all([app, second].map((process) => Promise.all(codes.map((code) => one(process, code)))));
  }

  /** Waits until both processes redirect as expected. */
  async function settles(codes: readonly string[], expected: readonly (string | number)[]): Promise<void> {
    await heard(async () => expect(await leads(codes)).toEqual([expected, expected]));
    expect(await leads(codes, { method: 'head' })).toEqual([expected, expected]);
  }
  const HOME = VALID_LINK.url;
  const NEW = 'https://shop.example.com/new';

  it('changes on every process, cached presences and absences included, and the old one leads on', async () => {
    const link = await named('a');
    const codes = [word('a'), word('b')];
    expect(await leads(codes)).toEqual([
      [HOME, 404],
      [HOME, 404],
    ]);
    const changed = await moved(link, 'b');
    await settles(codes, [HOME, HOME]);
    expect(changed).toMatchObject({ id: link.id, formerAliases: [word('a')] });
    expect(codeIn(changed)).toBe(word('b'));
    const { body } = await org.api.get(`${path}/${link.id}`).expect(200);
    expect(body).toMatchObject({ link: changed.link, formerAliases: changed.formerAliases });
    await org.api.put(`${path}/${link.id}`, { originalUrl: NEW }).expect(200);
    await settles(codes, [NEW, NEW]);
    await remove(link);
    await settles(codes, [404, 404]);
  });

  it('ends when it is released, and then belongs to the organization', async () => {
    const link = await named('a');
    const codes = [word('a'), word('b')];
    await leads(codes);
    expect((await moved(link, 'b', { releaseOld: true })).formerAliases).toEqual([]);
    await settles(codes, [404, HOME]);
    expect(await refusal(take(word('a'), await createOrganization(app)))).toEqual([409, 'ALIAS_TAKEN']);
    const other = await named('a', name === 'link' ? { url: NEW } : { originalUrl: NEW });
    await settles(codes, [NEW, HOME]);
    expect(await refusal(move(link, word('a')))).toEqual([409, 'ALIAS_TAKEN']);
    await remove(other);
    await moved(link, 'a');
    await settles(codes, [HOME, HOME]);
  });

  it('may change often and back, and all lead there', async () => {
    const link = await named('a');
    for (const text of ['b', 'c']) await moved(link, text);
    await settles(['a', 'b', 'c'].map(word), [HOME, HOME, HOME]);
    const back = await moved(link, 'a');
    expect([codeIn(back), back.formerAliases]).toEqual([word('a'), [word('b'), word('c')]]);
    expect((await moved(link, 'a')).formerAliases).toEqual(back.formerAliases);
    await moved(link, 'b', { releaseOld: true });
    await settles(['a', 'b', 'c'].map(word), [404, HOME, HOME]);
    await moved(link, 'a');
    await settles(['a', 'b', 'c'].map(word), [HOME, HOME, HOME]);
    const rows = await app.sql<{ code: string }>(
      'SELECT code FROM former_codes WHERE organization_id = $1 ORDER BY code',
      [org.organizationId],
    );
    expect(rows.map(({ code }) => code)).toEqual([word('b'), word('c')]);
  });

  it('replaces a generated code, which leads on and is nobody else’s', async () => {
    const link = await create();
    const code = codeIn(link);
    await moved(link, 'a');
    await settles([code, word('a')], [HOME, HOME]);
    expect(await refusal(take(code))).toEqual([409, 'ALIAS_TAKEN']);
    expect(codeIn((await move(link, code, { releaseOld: true }).expect(200)).body)).toBe(code);
    await moved(link, 'b', { releaseOld: true });
    await settles([code, word('a'), word('b')], [404, 404, HOME]);
    expect(await refusal(take(code))).toEqual([409, 'ALIAS_TAKEN']);
    await move(link, code).expect(200);
    await remove(link);
    expect(await refusal(take(code))).toEqual([409, 'ALIAS_TAKEN']);
  });

  it('is not another’s, present, former or deleted', async () => {
    const stranger = await createOrganization(app);
    const link = await named('mine');
    const theirs = await create({ [alias]: word('theirs') }, stranger);
    await stranger.api.put(`${path}/${theirs.id}`, { [alias]: word('theirs-2') }).expect(200);
    const gone = await create({ [alias]: word('gone') }, stranger);
    await stranger.api.put(`${path}/${gone.id}`, { [alias]: word('gone-2') }).expect(200);
    await stranger.api.delete(`${path}/${gone.id}`).expect(204);
    const own = await named('own');
    await moved(own, 'own-2');
    for (const text of ['theirs', 'theirs-2', 'gone', 'gone-2', 'own', 'own-2']) {
      expect([text, await refusal(move(link, word(text)))]).toEqual([text, [409, 'ALIAS_TAKEN']]);
      expect([text, await refusal(take(word(text)))]).toEqual([text, [409, 'ALIAS_TAKEN']]);
    }
    expect((await org.api.get(`${path}/${link.id}`).expect(200)).body).toEqual(link);
    await remove(own);
    await moved(link, 'own');
    await create({ [alias]: word('own-2') });
    await settles(['mine', 'own', 'own-2'].map(word), [HOME, HOME, HOME]);
  });

  it('of a disabled one is not given back', async () => {
    const link = await named('bad');
    await app.sql(`UPDATE ${table} SET disabled_reason = 'Phishing' WHERE id = $1`, [link.id]);
    await moved(link, 'bad-2', { releaseOld: true });
    expect(await refusal(take(word('bad')))).toEqual([409, 'ALIAS_TAKEN']);
    await moved(link, 'bad-3');
    await remove(link);
    for (const text of ['bad', 'bad-2', 'bad-3'])
      expect([text, await refusal(take(word(text)))]).toEqual([text, [409, 'ALIAS_TAKEN']]);
  });

  it('goes to one of fifty changes and creations at once', async () => {
    const links = await Promise.all(Array.from({ length: 25 }, () => create()));
    const answers = await Promise.all(links.flatMap((link) => [move(link, word('x')), take(word('x'))]));
    const refused = answers
      .filter(({ status }) => status >= 300)
      .map(({ status, body }) => `${status} ${(body as { code?: string }).code}`);
    expect(refused).toEqual(Array<string>(49).fill('409 ALIAS_TAKEN'));
  });

  it('is never two’s while it changes', async () => {
    const stranger = await createOrganization(app);
    for (let round = 0; round < 8; round++) {
      const link = await named(`r${round}`);
      const bulk = {
        items: Array.from({ length: 5 }, (_, n) => ({
          ...valid,
          [alias]: word(`r${round}${n ? `x${n}` : ''}`),
        })),
      };
      const [, taken, many] = await Promise.all([
        moved(link, `s${round}`),
        take(word(`r${round}`), stranger),
        stranger.api.post(`${path}/bulk`, bulk).expect(200),
      ]);
      expect(taken.status).toBe(409);
      expect(many.body.results[0].error.code).toBe('ALIAS_TAKEN');
    }
    const twice = await app.sql(
      `SELECT code FROM (
           SELECT domain_id, code FROM ${table} WHERE NOT code_released
            UNION ALL
           SELECT domain_id, code FROM former_codes WHERE kind = $1
         ) AS codes GROUP BY domain_id, code HAVING count(*) > 1`,
      [name === 'link' ? 1 : 2],
    );
    expect(twice).toEqual([]);
  });

  it('leaves at most twenty former ones', async () => {
    let link = await named('0');
    for (let n = 1; n <= 20; n++) link = await moved(link, `${n}`);
    expect(await refusal(move(link, word('21')))).toEqual([409, 'TOO_MANY_FORMER_ALIASES']);
    expect((await moved(link, '7')).formerAliases).toHaveLength(20);
    expect((await moved(link, '21', { releaseOld: true })).formerAliases).toHaveLength(20);
  });

  it('stays when it is null or unchanged', async () => {
    const link = await named('a');
    for (const body of [{ [alias]: null }, { [alias]: word('a'), releaseOld: true }, link])
      expect((await org.api.put(`${path}/${link.id}`, body).expect(200)).body).toEqual(link);
    await settles([word('a')], [HOME]);
  });

  it('counts clicks on every one', async () => {
    const link = await named('a');
    await moved(link, 'b');
    for (const code of ['a', 'b', 'a'])
      expect((await visit(second, `${prefix}${word(code)}`)).status).toBe(302);
    await eventually(async () => {
      const { body } = await org.api.get(`${path}/${link.id}`).expect(200);
      expect(body.clickCount).toBe(3);
    });
  });

  it('is found by a search, also when it is a former one', async () => {
    const host = `h${org.organizationId}.example`;
    const customDomainId = await createDomain(app, org, host, 'ACTIVE');
    const link = await named('Old');
    await moved(link, 'new');
    const there = await named('There', { customDomainId });
    await moved(there, 'here');
    const gone = await named('Released');
    await moved(gone, 'kept', { releaseOld: true });
    const found = async (text: string) => {
      const { body } = await org.api.get(path, { [search]: text }).expect(200);
      return body.content.map(({ id }: Shown) => id);
    };
    for (const text of [
      `go.waypost.test${prefix}${word('old')}?x=1`,
      `https://go.waypost.test${prefix}${word('Old')}/`,
      word('OLD'),
    ])
      expect([text, await found(text)]).toEqual([text, [link.id]]);
    expect(await found(`https://${host}${prefix}${word('there')}`)).toEqual([there.id]);
    expect(await found(`${host}${prefix}${word('old')}`)).toEqual([]);
    expect(await found(word('Released'))).toEqual([]);
    expect(await found(word('kept'))).toEqual([gone.id]);
  });
});

describe('former aliases elsewhere', () => {
  const org = perTest(() => createOrganization(app));

  const create = async (body: object): Promise<Shown> =>
    (await org.api.post(URLS, { ...VALID_LINK, ...body }).expect(201)).body;

  it('open apps, under the namespace too', async () => {
    const { id, path, apiKey } = await registerApp(org);
    const old = `old-${org.organizationId}`;
    const link = await create({ customAlias: old, iosAppId: id });
    await org.api.put(`${URLS}/${link.id}`, { customAlias: `${old}-2` }).expect(200);
    const { body } = await appApi(app, { id, apiKey }).get(`${RESOLVE}/${path}/${old}`).expect(200);
    expect(body).toMatchObject({ urlId: link.id, shortCode: `${old}-2` });
    expect((await visit(app, `/${path}/${old}`)).status).toBe(302);
  });

  it('are taken for imports and their dry runs, and for many at once', async () => {
    const old = `imp-${org.organizationId}`;
    const link = await create({ customAlias: old });
    await org.api.put(`${URLS}/${link.id}`, { customAlias: `${old}-2` }).expect(200);
    const csv = `url,customAlias\nhttps://example.com/,${old}\nhttps://example.com/,${old}-3\n`;
    for (const dryRun of [true, false]) {
      const { body } = await org.api
        .post(`${URLS}/import`)
        .query({ dryRun })
        .set('Content-Type', 'text/csv')
        .send(csv);
      expect(body).toMatchObject({ created: 1, failed: 1, errors: [{ line: 2, code: 'ALIAS_TAKEN' }] });
    }
    await org.api.delete(`${URLS}/${link.id}`).expect(204);
    const items = [old, `${old}-2`].map((customAlias) => ({ ...VALID_LINK, customAlias }));
    const { body } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    expect(body).toMatchObject({ created: 2, failed: 0 });
    expect((await visit(app, `/${old}`)).status).toBe(302);
  });

  it('are in the audit log as a change of the code', async () => {
    const link = await create({ customAlias: `log-${org.organizationId}` });
    await org.api.put(`${URLS}/${link.id}`, { customAlias: `log-${org.organizationId}-2` }).expect(200);
    const rows = await app.sql(
      `SELECT action, changes FROM audit_log WHERE organization_id = $1 ORDER BY id DESC LIMIT 1`,
      [org.organizationId],
    );
    expect(rows).toEqual([
      {
        action: 'link.update',
        changes: { code: { from: `log-${org.organizationId}`, to: `log-${org.organizationId}-2` } },
      },
    ]);
  });
});

describe('a former alias without Redis', () => {
  const single = useTestApp({ redis: false });

  it('leads on, and so does the new one', async () => {
    const org = await createOrganization(single);
    const { body: link } = await org.api.post(URLS, { ...VALID_LINK, customAlias: 'a' }).expect(201);
    const statuses = async () =>
      Promise.all(
        ['a', 'b'].flatMap((code) =>
          (['get', 'head'] as const).map(
            async (method) => (await visit(single, `/${code}`, { method })).status,
          ),
        ),
      );
    expect(await statuses()).toEqual([302, 302, 404, 404]);
    await org.api.put(`${URLS}/${link.id}`, { customAlias: 'b' }).expect(200);
    expect(await statuses()).toEqual([302, 302, 302, 302]);
    await org.api.put(`${URLS}/${link.id}`, { customAlias: 'd', releaseOld: true }).expect(200);
    expect(await statuses()).toEqual([302, 302, 404, 404]);
  });
});
