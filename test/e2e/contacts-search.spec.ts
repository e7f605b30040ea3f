import { CONTACTS, createBook, GROUPS, listIds, saveContact } from '../support/contacts';
import { consoleApi, createOrganization, type TestOrganization } from '../support/factories';
import { perTest, useTestApp } from '../support/test-app';

describe('Lists of contacts', () => {
  const app = useTestApp();
  const book = perTest(() => createBook(app));

  /** Saves contacts a second apart; returns their ids. */
  const save = async (...bodies: Record<string, unknown>[]) => {
    const ids: number[] = [];
    for (const body of bodies) {
      app.clock.advance(1000);
      ids.push((await saveContact(book, body)).id);
    }
    return ids;
  };
  const list = async (query = {}) => (await book.api.get(CONTACTS, query).expect(200)).body;
  const idsOf = ({ organizationId }: TestOrganization) =>
    `/api/v1/console/organizations/${organizationId}/messaging/contacts/ids`;
  const matching = async (query = {}) => (await consoleApi(app).get(idsOf(book), query).expect(200)).body;

  it('are filtered by origin and consents, combined', async () => {
    const [a, b, c, d] = await save(
      { pushOptIn: true, smsOptIn: true },
      { pushOptIn: true, emailOptIn: true },
      { smsOptIn: true },
      {},
    );
    expect(await listIds(book, { pushOptIn: true })).toEqual([b, a]);
    expect(await listIds(book, { pushOptIn: false })).toEqual([d, c]);
    expect(await listIds(book, { smsOptIn: true, pushOptIn: true })).toEqual([a]);
    expect(await listIds(book, { emailOptIn: false })).toEqual([d, c, a]);
    expect(await listIds(book, { origin: 'API', smsOptIn: false })).toEqual([d, b]);
    expect(await listIds(book, { origin: 'SDK' })).toEqual([]);
    const page = await list({ emailOptIn: false, size: 1, page: 1 });
    expect([page.totalElements, page.content.map(({ id }: { id: number }) => id)]).toEqual([3, [c]]);
    await book.api.put(`${CONTACTS}/${d}`, { emailOptIn: true }).expect(200);
    expect(await list({ emailOptIn: true })).toMatchObject({ totalElements: 2 });
    expect(await list({ emailOptIn: false })).toMatchObject({ totalElements: 2 });
  });

  it('find a keyword in part of the name, in any spelling', async () => {
    const [minji, minho, accent] = await save(
      { name: 'Kim Minji' },
      { name: '김민호' },
      { name: 'José 100%_x' },
    );
    await save({ name: 'Other' }, {});
    for (const keyword of ['minji', 'MINJI', 'im mi', 'k', ' Kim ', 'Kim Minji', 'ji']) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, [minji]]);
    }
    for (const keyword of ['김', '민호', '김민호', '김민호'.normalize('NFD')]) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, [minho]]);
    }
    for (const keyword of ['josé', 'JOSE\u0301', '0%_', '%', '_x']) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, [accent]]);
    }
    for (const keyword of ['minjo', 'kimm', '김호', '100_x', '\\', 'x'.repeat(200)]) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, []]);
    }
    await book.api.get(CONTACTS, { keyword: 'x'.repeat(201) }).expect(400);
    expect(await listIds(book, { keyword: '  ' })).toHaveLength(5);
  });

  it('find a whole phone number in any format, or its last 4 digits', async () => {
    const [a, b] = await save({ phoneNumber: '010-2345-6789' }, { phoneNumber: '010-9999-6789' });
    for (const keyword of [
      '01023456789',
      '+82 10-2345-6789',
      '+821023456789',
      '\u202d+82 10-2345-6789\u202c',
    ]) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, [a]]);
    }
    expect(await listIds(book, { keyword: '6789' })).toEqual([b, a]);
    for (const keyword of ['678', '56789', '2345', '0102345678']) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, []]);
    }
  });

  it('find a whole e-mail address, its local part or its domain', async () => {
    const [a, b] = await save({ email: 'Minji.Kim@Example.com' }, { email: 'lee@example.com' });
    const [c] = await save({ email: 'minji.kim@münze.example' });
    for (const [keyword, ids] of [
      ['minji.kim@example.COM', [a]],
      ['Minji.Kim', [c, a]],
      ['example.com', [b, a]],
      ['@EXAMPLE.com', [b, a]],
      ['MÜNZE.example', [c]],
      ['minji', []],
      ['kim@example.com', []],
      ['example', []],
    ] as const) {
      expect([keyword, await listIds(book, { keyword })]).toEqual([keyword, ids]);
    }
  });

  it('find each match once, whichever way it matches', async () => {
    const [name, local, both] = await save(
      { name: 'Minji' },
      { email: 'minji@example.com' },
      { name: 'minji', email: 'minji@example.org' },
    );
    expect(await listIds(book, { keyword: 'minji' })).toEqual([both, local, name]);
    await book.api.put(`${CONTACTS}/${both}`, { pushOptIn: true }).expect(200);
    expect(await listIds(book, { keyword: 'minji', pushOptIn: true })).toEqual([both]);
    expect(await list({ keyword: 'minji', size: 1, page: 1 })).toMatchObject({
      totalElements: 3,
      totalPages: 3,
    });
  });

  it("find no other organization's contacts", async () => {
    await save({ name: 'Minji', phoneNumber: '010-2345-6789', email: 'minji@example.com' });
    const other = await createBook(app);
    for (const keyword of ['Minji', '6789', 'example.com', '+821023456789']) {
      expect(await listIds(other, { keyword })).toEqual([]);
    }
  });

  it('find keywords that thousands of contacts match', async () => {
    await app.sql(
      `INSERT INTO contacts (organization_id, id, origin, name, search_name, push_opt_in, created_at, updated_at)
       SELECT $1, nextval('contact_ids'), 'API', 'Common ' || n, 'common ' || n, n = 3, t, t
         FROM generate_series(1, 5001) AS n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second') AS at (t)`,
      [book.organizationId],
    );
    const page = await list({ keyword: 'common', size: 2, page: 1 });
    expect(page).toMatchObject({ totalElements: 5001, totalPages: 2501 });
    expect(page.content.map(({ name }: { name: string }) => name)).toEqual(['Common 4999', 'Common 4998']);
    const last = await list({ keyword: 'common', size: 2, page: 2500 });
    expect(last.content.map(({ name }: { name: string }) => name)).toEqual(['Common 1']);
    expect(await list({ keyword: 'common 5001' })).toMatchObject({ totalElements: 1 });
    expect(await list({ keyword: 'common', pushOptIn: true })).toMatchObject({ totalElements: 1 });
    expect(await list({ pushOptIn: true })).toMatchObject({ totalElements: 1 });
    const { ids, total } = await matching({ keyword: 'common' });
    expect([total, ids.length]).toEqual([5001, 5001]);
    expect(ids.slice(0, 20)).toEqual(await listIds(book, { keyword: 'common' }));
  });

  it('are given as ids of all that match, to select them at once', async () => {
    const [minji, jun, gone] = await save(
      { name: 'Kim Minji', tags: ['vip'], smsOptIn: true },
      { name: 'Kim Jun', tags: ['vip'] },
      { name: 'Kim Gone' },
    );
    await book.api.delete(`${CONTACTS}/${gone}`).expect(204);
    expect(await matching({})).toEqual({ ids: [jun, minji], total: 2 });
    expect(await matching({ keyword: 'kim', tag: 'vip' })).toEqual({ ids: [jun, minji], total: 2 });
    expect(await matching({ smsOptIn: true })).toEqual({ ids: [minji], total: 1 });
    expect(await matching({ keyword: 'nobody' })).toEqual({ ids: [], total: 0 });
    const { body: group } = await book.api.post(GROUPS, { name: 'A' }).expect(201);
    await book.api.post(`${GROUPS}/${group.id}/members`, { contactIds: [jun] }).expect(200);
    expect(await matching({ groupId: group.id })).toEqual({ ids: [jun], total: 1 });
    for (const query of [{ page: 1 }, { keywrd: 'kim' }, { groupId: Number(group.id) + 1 }]) {
      const { body } = await consoleApi(app).get(idsOf(book), query).expect(400);
      expect(body.details).toMatchObject([{ field: Object.keys(query)[0] }]);
    }
    await consoleApi(app, 'wrong').get(idsOf(book)).expect(401);
    await consoleApi(app)
      .get(idsOf(await createOrganization(app, { addOns: [] })))
      .expect(403);
  });
});
