import { CONTACTS, createBook, GROUPS, listIds, saveContact } from '../support/contacts';
import { perTest, useTestApp } from '../support/test-app';

const BY_MEMBER = `${CONTACTS}/by-external-id`;

describe('Contacts by member id', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const book = perTest(() => createBook(app));

  const at = (externalUserId: string) => `${BY_MEMBER}/${encodeURIComponent(externalUserId)}`;

  it.each(['a/b', 'a%2Fb', '한글 😀', 'a?b#c&d=e;f', 'bulk', ' x '])(
    'are created, read, changed and deactivated by %s',
    async (member) => {
      await book.api.get(at(member)).expect(404);
      const { body: made } = await book.api.put(at(member), { name: 'Kim' }).expect(201);
      expect(made).toMatchObject({ externalUserId: member, name: 'Kim', origin: 'API' });
      expect((await book.api.get(at(member)).expect(200)).body).toEqual(made);
      const { body: changed } = await book.api
        .put(at(member), { externalUserId: member, locale: 'ko' })
        .expect(200);
      expect(changed).toMatchObject({ id: made.id, name: 'Kim', locale: 'ko' });
      await book.api.delete(at(member)).expect(204);
      await book.api.get(at(member)).expect(404);
      await book.api.delete(at(member)).expect(404);
      const { body: back } = await book.api.put(at(member), {}).expect(200);
      expect(back).toMatchObject({ id: made.id, externalUserId: member });
    },
  );

  it('are visible only to their organization', async () => {
    await saveContact(book, { externalUserId: 'a' });
    const other = await createBook(app);
    await other.api.get(at('a')).expect(404);
    await other.api.delete(at('a')).expect(404);
    await other.api.put(at('a'), { name: 'Lee' }).expect(201);
    expect((await book.api.get(at('a')).expect(200)).body.name).toBeNull();
  });

  it.each([
    ['blank', '%20%09', {}, 'externalUserId'],
    ['too long', 'x'.repeat(201), {}, 'externalUserId'],
    ['another in the body', 'a', { externalUserId: 'b' }, 'externalUserId'],
    ['with a bad field', 'a', { email: 'x@' }, 'email'],
  ] as const)('refuse one that is %s', async (_, path, body, field) => {
    const answer = await book.api.put(`${BY_MEMBER}/${path}`, body).expect(400);
    expect(answer.body.details).toMatchObject([{ field }]);
    expect(await listIds(book)).toEqual([]);
  });

  it('refuse a body that is null', async () => {
    const answer = await book.api.put(at('a')).set('Content-Type', 'application/json').send('null');
    expect([answer.status, await listIds(book)]).toEqual([400, []]);
  });

  it('stay deactivated when they are blocked', async () => {
    const { id } = await saveContact(book, { externalUserId: 'a' });
    await book.api.delete(at('a')).expect(204);
    await app.sql('UPDATE contacts SET blocked = true WHERE id = $1', [id]);
    expect((await book.api.put(at('a'), {}).expect(403)).body.code).toBe('CONTACT_BLOCKED');
  });

  describe('in bulk', () => {
    const items = [
      { externalUserId: 'a' },
      { email: 'x@' },
      { name: 'Lee' },
      { externalUserId: 'a', name: 'Kim' },
    ];

    it('are returned with their ids on request', async () => {
      const { body } = await book.api.post(`${CONTACTS}/bulk?returnIds=true`, items).expect(200);
      const a = (await book.api.get(at('a')).expect(200)).body.id as number;
      expect(body).toMatchObject({ created: 2, updated: 1, failed: 1, errors: [{ index: 1 }] });
      expect(body.items).toEqual([
        { index: 0, id: a, externalUserId: 'a', action: 'created' },
        { index: 2, id: expect.any(Number), externalUserId: null, action: 'created' },
        { index: 3, id: a, externalUserId: 'a', action: 'updated' },
      ]);
      await book.api.delete(at('a')).expect(204);
      const again = await book.api.post(`${CONTACTS}/bulk?returnIds=true`, [items[0]]).expect(200);
      expect(again.body.items).toEqual([{ index: 0, id: a, externalUserId: 'a', action: 'reactivated' }]);
    });

    it('are returned without ids otherwise, and never for a job', async () => {
      const { body } = await book.api.post(`${CONTACTS}/bulk`, items).expect(200);
      expect(body).not.toHaveProperty('items');
      const refused = await book.api.post(`${CONTACTS}/bulk?returnIds=true&async=true`, items).expect(400);
      expect(refused.body.details).toMatchObject([{ field: 'returnIds' }]);
    });
  });

  describe('in the list', () => {
    const group = async (): Promise<number> =>
      (await book.api.post(GROUPS, { name: 'VIPs' }).expect(201)).body.id;

    it('are filtered by member id, group, tag and time of change, individually and combined', async () => {
      const groupId = await group();
      const a = await saveContact(book, { externalUserId: 'a', tags: ['vip', 'x'], groupId, smsOptIn: true });
      const b = await saveContact(book, { externalUserId: 'b', tags: ['VIP'], groupId });
      app.clock.set('2026-11-20T09:00:00Z');
      const c = await saveContact(book, { externalUserId: 'c', tags: ['vip'] });
      const gone = await saveContact(book, { externalUserId: 'gone', tags: ['vip'], groupId });
      await book.api.delete(`${CONTACTS}/${gone.id}`).expect(204);
      await saveContact(await createBook(app), { externalUserId: 'a', tags: ['vip'] });

      expect(await listIds(book, { externalUserId: 'a' })).toEqual([a.id]);
      expect(await listIds(book, { externalUserId: 'gone' })).toEqual([]);
      expect(await listIds(book, { groupId })).toEqual([b.id, a.id]);
      expect(await listIds(book, { tag: 'vip' })).toEqual([c.id, a.id]);
      expect(await listIds(book, { tag: 'VIP' })).toEqual([b.id]);
      expect(await listIds(book, { tag: 'vi' })).toEqual([]);
      expect(await listIds(book, { updatedAfter: '2026-11-20T08:32:00Z' })).toEqual([c.id]);
      expect(await listIds(book, { updatedAfter: '2026-11-20T08:31:59Z' })).toEqual([c.id, b.id, a.id]);
      expect(await listIds(book, { updatedAfter: '2026-11-20' })).toEqual([]);
      expect(await listIds(book, { tag: 'vip', groupId })).toEqual([a.id]);
      expect(await listIds(book, { tag: 'vip', keyword: 'x', externalUserId: 'a' })).toEqual([]);
      expect(await listIds(book, { groupId, smsOptIn: true })).toEqual([a.id]);
      const { body } = await book.api.get(CONTACTS, { tag: 'vip', size: 1, page: 1 }).expect(200);
      expect(body).toMatchObject({ totalElements: 2, totalPages: 2, content: [{ id: a.id }] });
      app.clock.set('2026-11-20T10:00:00Z');
      await book.api.put(`${CONTACTS}/${a.id}`, { name: 'Kim' }).expect(200);
      expect(await listIds(book, { updatedAfter: '2026-11-20T09:00:00Z' })).toEqual([a.id]);
    });

    it('refuse invalid filters by name', async () => {
      const foreign = await createBook(app);
      const groupOfOther = (await foreign.api.post(GROUPS, { name: 'G' }).expect(201)).body.id as number;
      for (const [field, value] of [
        ['externalUserId', ' '],
        ['groupId', groupOfOther],
        ['tag', ''],
      ] as const) {
        const { body } = await book.api.get(CONTACTS, { [field]: value }).expect(400);
        expect(body.details).toMatchObject([{ field }]);
      }
    });

    it('are counted and paged correctly when more match than are sorted at once', async () => {
      const groupId = await group();
      const first = await saveContact(book, { tags: ['many'], groupId });
      await app.sql(
        `INSERT INTO contacts (organization_id, id, origin, tags, created_at, updated_at)
         SELECT $1, nextval('contact_ids'), 'API', '{many}', created_at - n * interval '1 second', updated_at
           FROM contacts, generate_series(1, 5500) AS n WHERE organization_id = $1`,
        [book.organizationId],
      );
      await app.sql(
        `INSERT INTO contact_group_members (organization_id, group_id, contact_id)
         SELECT organization_id, $2, id FROM contacts WHERE organization_id = $1 ON CONFLICT DO NOTHING`,
        [book.organizationId, groupId],
      );
      for (const query of [{ tag: 'many' }, { groupId }, { updatedAfter: '2026-11-20T08:00:00Z' }]) {
        const { body } = await book.api.get(CONTACTS, { ...query, size: 2 }).expect(200);
        expect(body.totalElements).toBe(5501);
        expect(body.content[0].id).toBe(first.id);
      }
    });
  });
});
