import type { ContactFeedResponse as Answer } from '../../src/modules/contacts/feed/contact-feed.dto';
import { ContactsSchedule } from '../../src/modules/contacts/contacts-schedule';
import { registerApp } from '../support/apps';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { appApi, consoleApi } from '../support/factories';
import { cataloguedEvents } from '../support/outbox';
import { perTest, useTestApp } from '../support/test-app';

const CHANGES = `${CONTACTS}/changes`;

describe('The change feed of contacts', () => {
  const app = useTestApp({ at: '2026-11-20T08:32:00Z' });
  const book = perTest(() => createBook(app));

  const read = async (cursor = '', limit = 1000, { api } = book): Promise<Answer> =>
    (await api.get(CHANGES, { cursor, limit }).expect(200)).body;
  const ofConsole = (id: number, query = '') => `${book.consolePath}/messaging/contacts/${id}${query}`;

  it('has each contact once, at its latest change', async () => {
    const start = await read();
    expect(start).toEqual({ items: [], nextCursor: expect.any(String), hasMore: false });
    const a = await saveContact(book, { externalUserId: 'a' });
    const b = await saveContact(book, { externalUserId: 'b' });
    app.clock.set('2026-11-20T09:00:00Z');
    await book.api.put(`${CONTACTS}/${a.id}`, { name: 'Kim' }).expect(200);
    const { items, nextCursor, hasMore } = await read(start.nextCursor);
    const current = (await book.api.get(`${CONTACTS}/${a.id}`).expect(200)).body;
    expect(items).toEqual([
      {
        type: 'UPSERTED',
        id: b.id,
        externalUserId: 'b',
        contact: b,
        changedAt: '2026-11-20T08:32:00Z',
        cursor: expect.any(String),
      },
      {
        type: 'UPSERTED',
        id: a.id,
        externalUserId: 'a',
        contact: current,
        changedAt: '2026-11-20T09:00:00Z',
        cursor: nextCursor,
      },
    ]);
    expect((await read(items[0]?.cursor)).items).toEqual([items[1]]);
    expect(hasMore).toBe(false);
    expect(await read(nextCursor)).toEqual({ items: [], nextCursor, hasMore: false });
    expect((await read()).items).toEqual(items);

    const first = await read('', 1);
    expect(first).toMatchObject({ items: [{ id: b.id }], hasMore: true });
    expect(await read(first.nextCursor, 1)).toMatchObject({
      items: [{ id: a.id }],
      nextCursor,
      hasMore: false,
    });
  });

  it('includes changes by every writer, but no updates without a change', async () => {
    const sdk = appApi(app, await registerApp(book));
    const identify = '/api/v1/cross-platform/identify';
    let cursor = (await read()).nextCursor;
    const expectChange = async (type: string | null, work: () => PromiseLike<{ status: number }>) => {
      const { status } = await work();
      expect(status).toBeLessThan(300);
      const { items, nextCursor } = await read(cursor);
      expect(items.map((item) => item.type)).toEqual(type === null ? [] : [type]);
      cursor = nextCursor;
      return items[0]?.id ?? 0;
    };
    const id = await expectChange('UPSERTED', () => book.api.post(CONTACTS, { externalUserId: 'm' }));
    await expectChange(null, () => book.api.post(CONTACTS, { externalUserId: 'm' }));
    await expectChange('UPSERTED', () => book.api.put(`${CONTACTS}/${id}`, { name: 'Kim' }));
    await expectChange('UPSERTED', () =>
      book.api.post(`${CONTACTS}/bulk`, [{ externalUserId: 'm', locale: 'ko' }]),
    );
    await expectChange('UPSERTED', () => sdk.post(identify, { externalUserId: 'm', smsOptIn: true }));
    await expectChange('UPSERTED', () =>
      sdk.post('/api/v1/cross-platform/opt-in', { externalUserId: 'm', emailOptIn: true }),
    );
    await expectChange('UPSERTED', () =>
      consoleApi(app)
        .post(`${book.consolePath}/messaging/contacts/import`)
        .set('Content-Type', 'text/csv')
        .send('externalUserId,name\r\nm,Lee\r\n'),
    );
    await expectChange('UPSERTED', () => consoleApi(app).post(ofConsole(id, '/block')));
    await expectChange('UPSERTED', () => consoleApi(app).post(ofConsole(id, '/unblock')));
    await expectChange('DELETED', () => book.api.delete(`${CONTACTS}/by-external-id/m`));
    await expectChange('UPSERTED', () => book.api.put(`${CONTACTS}/by-external-id/m`, {}));
    await expectChange('DELETED', () => sdk.post('/api/v1/cross-platform/withdraw', { externalUserId: 'm' }));
    await expectChange('UPSERTED', () => sdk.post(identify, { externalUserId: 'm', smsOptIn: true }));
    await expectChange('DELETED', () => consoleApi(app).delete(ofConsole(id)));
    await expectChange('DELETED', () => consoleApi(app).delete(ofConsole(id, '?erase=true')));
  });

  it('reports deletions with ids only; the member id of an erased contact is stored for 30 days', async () => {
    const { id } = await saveContact(book, { externalUserId: 'm', name: 'Kim' });
    app.clock.set('2026-11-21T00:00:00Z');
    await consoleApi(app).delete(ofConsole(id, '?erase=true')).expect(204);
    const deleted = {
      type: 'DELETED',
      id,
      contact: null,
      changedAt: '2026-11-21T00:00:00Z',
      cursor: expect.any(String),
    };
    expect((await read()).items).toEqual([{ ...deleted, externalUserId: 'm' }]);
    app.clock.set('2026-12-20T00:00:00Z');
    await app.get(ContactsSchedule).forgetErased();
    expect((await read()).items).toEqual([{ ...deleted, externalUserId: 'm' }]);
    app.clock.set('2026-12-22T00:00:00Z');
    await app.get(ContactsSchedule).forgetErased();
    expect((await read()).items).toEqual([{ ...deleted, externalUserId: null }]);
  });

  it('misses and repeats nothing during concurrent writes, some of which roll back', async () => {
    const writers = Array.from({ length: 12 }, async (_, w) => {
      for (let i = 0; i < 12; i++) {
        const member = `m${(w * 7 + i) % 40}`;
        const body = Array.from({ length: 1 + (i % 4) }, (__, n) => ({
          externalUserId: n === 0 ? member : `w${w}-${i}-${n}`,
          name: `${w}.${i}`,
        }));
        if (i % 5 === 4) await book.api.delete(`${CONTACTS}/by-external-id/${member}`);
        else await book.api.post(`${CONTACTS}/bulk`, body).expect(200);
        if (i % 6 === 5) await book.api.post(`${CONTACTS}/bulk`, [{ email: 'x@' }]).expect(200);
      }
    });
    const mirror = new Map<number, string | null>();
    let cursor = '';
    let done = false;
    const follow = async () => {
      for (;;) {
        const last = done;
        const { items, nextCursor, hasMore } = await read(cursor, 7);
        for (const { id, type, contact } of items) {
          if (type === 'DELETED') mirror.delete(id);
          else mirror.set(id, contact?.name ?? null);
        }
        cursor = nextCursor;
        if (last && !hasMore) return;
      }
    };
    const following = follow();
    await Promise.all(writers);
    done = true;
    await following;
    const rows = await app.sql<{ id: number; name: string | null }>(
      'SELECT id, name FROM contacts WHERE organization_id = $1 AND deactivated_at IS NULL',
      [book.organizationId],
    );
    expect(rows.length).toBeGreaterThan(40);
    expect([...mirror].sort()).toEqual(rows.map(({ id, name }) => [id, name]).sort());
  });

  it('accepts only its own cursors', async () => {
    await saveContact(book, {});
    const { nextCursor } = await read();
    const other = await createBook(app);
    const { latestCursor } = (
      await book.api.get('/api/v1/service/messaging/unsubscribes/watermark').expect(200)
    ).body;
    const changed = `${nextCursor.startsWith('A') ? 'B' : 'A'}${nextCursor.slice(1)}`;
    for (const [{ api }, cursor] of [
      [book, changed],
      [book, latestCursor],
      [book, 'x'],
      [other, nextCursor],
    ] as const) {
      const { body } = await api.get(CHANGES, { cursor }).expect(400);
      expect(body.code).toBe('INVALID_CURSOR');
    }
    expect((await read('', 1000, other)).items).toEqual([]);
    await book.api.get(`${CHANGES}?limit=1001`).expect(400);
    await (await createBook(app, { addOns: [] })).api.get(CHANGES).expect(403);
  });

  it('is matched by the webhook contact.deleted, with ids only', async () => {
    const person = { externalUserId: 'm', name: 'Kim', email: 'kim@shop.example', smsOptIn: true };
    const { id } = await saveContact(book, person);
    const deletions = async () =>
      (await cataloguedEvents(app, book.organizationId)).filter(({ name }) => name === 'contact.deleted');
    await book.api.delete(`${CONTACTS}/${id}`).expect(204);
    expect((await deletions()).map(({ data }) => data)).toEqual([
      { id, externalUserId: 'm', deletedAt: '2026-11-20T08:32:00Z' },
    ]);
    await saveContact(book, person, 200);
    app.clock.set('2026-11-20T09:00:00Z');
    const sdk = appApi(app, await registerApp(book));
    await sdk.post('/api/v1/cross-platform/withdraw', { externalUserId: 'm' }).expect(200);
    expect((await deletions()).map(({ data }) => data)).toEqual([
      { id, externalUserId: 'm', deletedAt: '2026-11-20T09:00:00Z' },
    ]);
    await consoleApi(app).delete(ofConsole(id, '?erase=true')).expect(204);
    expect(await deletions()).toHaveLength(1);
  });
});
