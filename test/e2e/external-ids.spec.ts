import { CAMPAIGNS, VALID_CAMPAIGN } from '../support/campaigns';
import { createOrganization } from '../support/factories';
import { codeOf, createLink, URLS, VALID_LINK } from '../support/links';
import { perTest, useTestApp } from '../support/test-app';

const KINDS = [
  { name: 'link', path: URLS, table: 'links', valid: VALID_LINK, alias: 'customAlias' },
  { name: 'campaign', path: CAMPAIGNS, table: 'campaigns', valid: VALID_CAMPAIGN, alias: 'alias' },
];

const app = useTestApp();

describe.each(KINDS)('the external id of a $name', ({ name, path, table, valid, alias }) => {
  const org = perTest(() => createOrganization(app));

  const at = (externalId: string) => `${path}/by-external-id/${encodeURIComponent(externalId)}`;
  const create = async (body: object) => (await org.api.post(path, { ...valid, ...body }).expect(201)).body;
  const count = async () => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE organization_id = $1`;
    return (await app.sql<{ count: number }>(sql, [org.organizationId]))[0]?.count;
  };
  const TAKEN = {
    code: 'EXTERNAL_ID_TAKEN',
    details: [{ field: 'externalId', message: `already belongs to another ${name}` }],
  };

  it.each(['a/b', 'a%2Fb', '한글 😀', 'a?b#c&d=e;f', 'bulk', ' x '])(
    'creates, reads, changes and deletes by %s',
    async (externalId) => {
      await org.api.get(at(externalId)).expect(404);
      const { body: made } = await org.api.put(at(externalId), { ...valid, title: 'A' }).expect(201);
      expect(made).toMatchObject({ externalId, title: 'A', ogTitle: null });
      expect((await org.api.get(at(externalId)).expect(200)).body).toEqual(made);
      const { body: changed } = await org.api
        .put(at(externalId), { ...valid, externalId, ogTitle: 'B' })
        .expect(200);
      expect(changed).toMatchObject({ id: made.id, link: made.link, externalId, title: 'A', ogTitle: 'B' });
      await org.api.delete(at(externalId)).expect(204);
      await org.api.get(at(externalId)).expect(404);
      await org.api.delete(at(externalId)).expect(404);
      const { body: again } = await org.api.put(at(externalId), valid).expect(201);
      expect(again.id).not.toBe(made.id);
    },
  );

  it.each(['a\u200bb', '\u2060', 'a\ufeff', 'a\u202eb', 'a\u0007b'])('cannot be %j', async (externalId) => {
    const details = [
      { field: 'externalId', message: expect.stringMatching(/^must not (be blank|contain invisible)/) },
    ];
    const refusal = { code: 'VALIDATION_FAILED', details };
    const saved = await org.api.put(at(externalId), valid).expect(400);
    expect(saved.body).toMatchObject(refusal);
    const created = await org.api.post(path, { ...valid, externalId }).expect(400);
    expect(created.body).toMatchObject(refusal);
  });

  it('can be sent back as it was read, and changes what is supplied alone', async () => {
    const expiry = name === 'link' ? 'expirationDate' : 'expiresAt';
    const sent = { ...valid, title: 'A', [expiry]: '2099-01-01' };
    const { body: made } = await org.api.put(at('read'), sent).expect(201);
    expect(made.expiresAt).toBe('2099-01-01T23:59:59Z');
    const { updatedAt: _, ...rest } = made;
    expect((await org.api.put(at('read'), made).expect(200)).body).toMatchObject(rest);
  });

  it.each([
    ['post', { [name === 'link' ? 'expiresAt' : 'expirationDate']: '2099-01-01' }],
    ['post', { [alias === 'alias' ? 'customAlias' : 'alias']: 'spring' }],
    ['put', { [alias === 'alias' ? 'customAlias' : 'alias']: 'spring' }],
    ['put', { [name === 'link' ? 'expiresAt' : 'expirationDate']: '2099-01-01' }],
  ] as const)('has no other name of a field in a %s: %j', async (method, misnamed) => {
    const { body } = await org.api[method](method === 'post' ? path : at('other'), {
      ...valid,
      ...misnamed,
    }).expect(400);
    const [field] = Object.keys(misnamed);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ field }] });
    expect(await count()).toBe(0);
  });

  it('makes one of thirty calls at once, and of thirty creations', async () => {
    const saved = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        org.api.put(at('same'), { ...valid, title: `${n}`, [alias]: 'same' }),
      ),
    );
    const statuses = saved.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(29);
    expect(new Set(saved.map(({ body }) => body.id)).size).toBe(1);
    expect(await count()).toBe(1);
    const created = await Promise.all(
      Array.from({ length: 30 }, () => org.api.post(path, { ...valid, externalId: 'new' })),
    );
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      created.filter(({ status, body }) => status === 409 && body.code === 'EXTERNAL_ID_TAKEN'),
    ).toHaveLength(29);
    expect(await count()).toBe(2);
  });

  it('is unique in its organization among those that are not deleted', async () => {
    const first = await create({ externalId: 'a' });
    const second = await create({ externalId: 'A' });
    const refused = await org.api.post(path, { ...valid, externalId: 'a' }).expect(409);
    expect(refused.body).toMatchObject(TAKEN);
    expect((await org.api.put(`${path}/${second.id}`, { externalId: 'a' }).expect(409)).body).toMatchObject(
      TAKEN,
    );
    const other = await createOrganization(app);
    await other.api.get(at('a')).expect(404);
    await other.api.put(at('a'), valid).expect(201);
    await other.api.delete(at('a')).expect(204);
    await org.api.delete(`${path}/${first.id}`).expect(204);
    await org.api.put(`${path}/${second.id}`, { externalId: 'a' }).expect(200);
    expect((await org.api.get(at('a')).expect(200)).body.id).toBe(second.id);
  });

  it('is null unless it is given, and stays until it is cleared', async () => {
    const made = await create({});
    expect([made.externalId, (await create({ externalId: '' })).externalId]).toEqual([null, null]);
    const put = async (body: object) => (await org.api.put(`${path}/${made.id}`, body).expect(200)).body;
    expect((await put({ externalId: 'x' })).externalId).toBe('x');
    expect((await put({ title: 'y' })).externalId).toBe('x');
    expect((await put(await put({}))).externalId).toBe('x');
    expect((await put({ externalId: null })).externalId).toBeNull();
    await org.api.get(at('x')).expect(404);
  });

  it('does not cost an alias when it is refused', async () => {
    const gone = await create({ [alias]: `gone-${org.organizationId}` });
    await org.api.delete(`${path}/${gone.id}`).expect(204);
    await create({ externalId: 'a' });
    const body = { ...valid, externalId: 'a', [alias]: `gone-${org.organizationId}` };
    expect((await org.api.post(path, body).expect(409)).body.code).toBe('EXTERNAL_ID_TAKEN');
    const other = await createOrganization(app);
    const taken = await other.api.post(path, { ...body, externalId: null });
    expect([taken.status, taken.body.code]).toEqual([409, 'ALIAS_TAKEN']);
  });

  it.each([
    ['blank', '%20%09', {}, 'externalId'],
    ['another in the body', 'a', { externalId: 'b' }, 'externalId'],
    ['with a bad field', 'a', { title: ' ' }, 'title'],
  ] as const)('refuses one that is %s', async (_, externalId, body, field) => {
    const answer = await org.api
      .put(`${path}/by-external-id/${externalId}`, { ...valid, ...body })
      .expect(400);
    expect(answer.body.details).toMatchObject([{ field }]);
    expect(await count()).toBe(0);
  });

  it('fails with the alias of another, and keeps what there is', async () => {
    await create({ [alias]: `mine-${org.organizationId}` });
    const answer = await org.api.put(at('z'), { ...valid, [alias]: `mine-${org.organizationId}` });
    expect([answer.status, answer.body.code]).toEqual([409, 'ALIAS_TAKEN']);
    await org.api.get(at('z')).expect(404);
  });
});

describe('external ids of many links', () => {
  const org = perTest(() => createOrganization(app));
  beforeEach(() => createLink(org, { externalId: 'known' }));

  const idsOf = async () => {
    const sql = 'SELECT external_id AS id FROM links WHERE organization_id = $1 ORDER BY 1';
    return (await app.sql<{ id: string }>(sql, [org.organizationId])).map(({ id }) => id);
  };

  it('fail one by one, and the first item gets its id', async () => {
    const alias = `bulk-${org.organizationId}`;
    const items = [
      { ...VALID_LINK, externalId: 'new' },
      { ...VALID_LINK, externalId: 'known', customAlias: alias },
      { ...VALID_LINK, externalId: 'new', customAlias: `${alias}-2` },
      { ...VALID_LINK, externalId: 'third', customAlias: alias },
      { ...VALID_LINK, externalId: '\u0000' },
      VALID_LINK,
    ];
    const { body } = await org.api.post(`${URLS}/bulk`, { items }).expect(200);
    const codes = body.results.map(({ error }: { error: { code: string } | null }) => error?.code ?? null);
    expect(codes).toEqual([null, 'EXTERNAL_ID_TAKEN', 'EXTERNAL_ID_TAKEN', null, 'VALIDATION_FAILED', null]);
    expect(body.results[1].error.details[0].field).toBe('externalId');
    expect(await idsOf()).toEqual(['known', 'new', 'third', null]);
  });

  it('of eight batches at once are made once each', async () => {
    const items = Array.from({ length: 50 }, (_, n) => ({ ...VALID_LINK, externalId: `${n}` }));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        org.api.post(`${URLS}/bulk`, { items: n % 2 ? items : items.toReversed() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + Number(body.created), 0)).toBe(50);
    expect(await idsOf()).toHaveLength(51);
  });

  it('are in an export, and restored by an import', async () => {
    await createLink(org, { externalId: '=1+1, "x"' });
    const file = await org.api.get(`${URLS}/export`).expect(200);
    const import_ = async (dryRun: boolean, to = org) =>
      (
        await to.api
          .post(`${URLS}/import`)
          .query({ dryRun })
          .set('Content-Type', 'text/csv')
          .send(file.text)
          .expect(200)
      ).body;
    for (const dryRun of [true, false]) {
      const { errors } = await import_(dryRun);
      expect(errors.map(({ code }: { code: string }) => code)).toEqual([
        'EXTERNAL_ID_TAKEN',
        'EXTERNAL_ID_TAKEN',
      ]);
    }
    await app.alter('UPDATE links SET deleted_at = now() WHERE organization_id = $1', [org.organizationId]);
    const rows = file.text.replace(',shortUrl,', ',a,').replace(',code,', ',b,');
    const restored = await org.api
      .post(`${URLS}/import`)
      .set('Content-Type', 'text/csv')
      .send(rows)
      .expect(200);
    expect(restored.body).toMatchObject({ created: 2, failed: 0 });
    const { body } = await org.api.get(URLS, { sort: 'createdAt,asc' }).expect(200);
    expect(body.content.map(({ externalId }: { externalId: string }) => externalId).toSorted()).toEqual([
      '=1+1, "x"',
      'known',
    ]);
    expect(new Set(body.content.map(codeOf)).size).toBe(2);
  });
});

describe('PUT of a link by its external id', () => {
  const org = perTest(() => createOrganization(app));

  const save = (body: object) => org.api.put(`${URLS}/by-external-id/one`, body);

  it('takes the destination by either name, and needs it only to create', async () => {
    const refused = await save({ title: 'A' }).expect(400);
    expect(refused.body.details).toEqual([{ field: 'url', message: 'is required' }]);
    const { body } = await save({ originalUrl: 'https://example.com/a' }).expect(201);
    expect(body.originalUrl).toBe('https://example.com/a');
    expect((await save({ title: 'A' }).expect(200)).body).toMatchObject({
      title: 'A',
      originalUrl: body.originalUrl,
    });
    const moved = await save({ url: 'https://example.com/b' }).expect(200);
    expect(moved.body).toMatchObject({ id: body.id, title: 'A', originalUrl: 'https://example.com/b' });
    const both = await save({ url: 'https://example.com/c', originalUrl: 'https://example.com/d' }).expect(
      400,
    );
    expect(both.body.details).toMatchObject([{ field: 'originalUrl' }]);
  });

  it('does not take an expiry by the name that answers have', async () => {
    await save({ url: 'https://example.com/a', expirationDate: '2099-01-01' }).expect(201);
    const { body } = await save({ expiresAt: '2098-01-01' }).expect(400);
    expect(body.details).toMatchObject([{ field: 'expiresAt' }]);
    await save({ expiresAt: '2099-01-01T23:59:59Z' }).expect(200);
  });
});
