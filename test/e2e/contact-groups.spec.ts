import { CONTACTS, createBook, GROUPS, saveContact } from '../support/contacts';
import { NO_ID } from '../support/resources';
import { perTest, useTestApp } from '../support/test-app';

describe('Contact groups', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const book = perTest(() => createBook(app));

  const create = async (body: object, status = 201) =>
    (await book.api.post(GROUPS, body).expect(status)).body;
  const get = async (id: number) => (await book.api.get(`${GROUPS}/${id}`).expect(200)).body;
  const list = async () => (await book.api.get(GROUPS).expect(200)).body;
  const members = async (id: number, query = {}) =>
    (await book.api.get(`${GROUPS}/${id}/members`, query).expect(200)).body;

  it('start with one default group, even concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, list));
    const [first] = answers;
    expect(first).toEqual({
      content: [
        {
          id: expect.any(Number),
          name: 'Default',
          description: null,
          isDefault: true,
          memberCount: 0,
          createdAt: '2026-11-20T08:32:00Z',
          updatedAt: '2026-11-20T08:32:00Z',
        },
      ],
      page: 0,
      size: 20,
      totalElements: 1,
      totalPages: 1,
      first: true,
      last: true,
    });
    for (const answer of answers) expect(answer).toEqual(first);
    expect(await get(first.content[0].id)).toEqual(first.content[0]);
  });

  it('are created, changed and deleted', async () => {
    const group = await create({ name: ' News ', description: 'Readers' });
    expect(group).toMatchObject({ name: 'News', description: 'Readers', isDefault: false, memberCount: 0 });
    app.clock.set('2026-11-20T09:00:00Z');
    const put = (body: object) => book.api.put(`${GROUPS}/${group.id}`, body);
    const { body: renamed } = await put({ name: 'Letters' }).expect(200);
    expect(renamed).toEqual({ ...group, name: 'Letters', updatedAt: '2026-11-20T09:00:00Z' });
    const { body: cleared } = await put({ name: null, description: null }).expect(200);
    expect(cleared).toEqual({ ...renamed, description: null });
    expect((await list()).content.map(({ name }: { name: string }) => name)).toEqual(['Default', 'Letters']);
    await book.api.delete(`${GROUPS}/${group.id}`).expect(204);
    await book.api.delete(`${GROUPS}/${group.id}`).expect(404);
    await book.api.get(`${GROUPS}/${group.id}`).expect(404);
  });

  it('have unique names', async () => {
    const { id } = await create({ name: 'News' });
    await create({ name: 'Letters' });
    for (const name of ['News', 'Default']) {
      expect((await create({ name }, 409)).code).toBe('GROUP_NAME_TAKEN');
    }
    const { status, body } = await book.api.put(`${GROUPS}/${id}`, { name: 'Letters' });
    expect([status, body.code]).toEqual([409, 'GROUP_NAME_TAKEN']);
    expect((await get(id)).name).toBe('News');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => book.api.post(GROUPS, { name: 'Race' })),
    );
    expect(answers.map(({ status: s }) => s).sort((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
  });

  it('keep the default group', async () => {
    const [{ id }] = (await list()).content;
    const { status, body } = await book.api.delete(`${GROUPS}/${id}`);
    expect([status, body.code]).toEqual([409, 'DEFAULT_GROUP']);
    await book.api.put(`${GROUPS}/${id}`, { name: 'Everybody' }).expect(200);
    expect((await saveContact(book)).groupIds).toEqual([id]);
  });

  it('add and remove members', async () => {
    const group = await create({ name: 'News' });
    const path = `${GROUPS}/${group.id}/members`;
    const contacts = [];
    for (let i = 0; i < 3; i++) contacts.push(await saveContact(book, { externalUserId: `m${i}` }));
    const [a, b, c] = contacts.map(({ id }) => id);
    const foreign = await saveContact(await createBook(app));
    const add = async (contactIds: unknown[]) => (await book.api.post(path, { contactIds }).expect(200)).body;
    expect(await add([a, b, a, NO_ID, foreign.id])).toEqual({ added: 2, alreadyMember: 1, notFound: 2 });
    expect(await add([b, c])).toEqual({ added: 1, alreadyMember: 1, notFound: 0 });
    expect((await get(group.id)).memberCount).toBe(3);
    const page = await members(group.id, { size: 2 });
    expect(page).toMatchObject({ totalElements: 3, totalPages: 2, first: true, last: false });
    expect(page.content.map(({ id }: { id: number }) => id)).toEqual([c, b]);
    expect(page.content[0].groupIds).toContain(group.id);

    const remove = async (contactIds: unknown[]) =>
      (await book.api.delete(path, { contactIds }).expect(200)).body;
    expect(await remove([a, a, NO_ID])).toEqual({ removed: 1, notFound: 2 });
    await book.api.delete(`${CONTACTS}/${b}`).expect(204);
    expect((await members(group.id)).content.map(({ id }: { id: number }) => id)).toEqual([c]);
    expect((await get(group.id)).memberCount).toBe(1);
    expect(await add([b as number])).toEqual({ added: 0, alreadyMember: 0, notFound: 1 });

    await book.api.delete(`${GROUPS}/${group.id}`).expect(204);
    const { body } = await book.api.get(`${CONTACTS}/${c}`).expect(200);
    expect(body.groupIds).not.toContain(group.id);
  });

  it('can be set when contacts are saved', async () => {
    const [first, second] = [await create({ name: 'One' }), await create({ name: 'Two' })];
    const contact = await saveContact(book, { externalUserId: 'a', groupId: first.id });
    expect(contact.groupIds).toEqual([first.id]);
    const joined = await saveContact(book, { externalUserId: 'a', groupId: second.id }, 200);
    expect(joined.groupIds).toEqual([first.id, second.id]);
    const path = `${CONTACTS}/${contact.id}`;
    expect((await book.api.put(path, { groupId: first.id }).expect(200)).body.groupIds).toHaveLength(2);
    await book.api.delete(path).expect(204);
    const back = await saveContact(book, { externalUserId: 'a', groupId: second.id }, 200);
    expect(back.groupIds).toEqual([second.id]);
  });

  it('have correct counts under concurrency', async () => {
    const group = await create({ name: 'Busy' });
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        book.api.post(CONTACTS, { externalUserId: `m${i % 30}`, groupId: group.id, pushOptIn: i % 2 === 0 }),
      ),
    );
    expect((await get(group.id)).memberCount).toBe(30);
    expect((await book.api.get(CONTACTS)).body.totalElements).toBe(30);
    const ids = (await members(group.id, { size: 100 })).content.map(({ id }: { id: number }) => id);
    await Promise.all(ids.slice(0, 10).map((id: number) => book.api.delete(`${CONTACTS}/${id}`).expect(204)));
    expect((await get(group.id)).memberCount).toBe(20);
    expect((await book.api.get(CONTACTS)).body.totalElements).toBe(20);
  });
});
