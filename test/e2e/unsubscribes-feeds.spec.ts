import { setTimeout as delay } from 'node:timers/promises';
import { createOrganization, serviceApi, type TestOrganization } from '../support/factories';
import { perTest, TestApp, useTestApp } from '../support/test-app';
import { type FeedAnswer, phone, UNSUBSCRIBES, UnsubscribeClient } from '../support/unsubscribes';

/** Number of changes that each concurrent writer makes; UNSUBSCRIBE_WRITES sets another. */
const WRITES = Number(process.env.UNSUBSCRIBE_WRITES ?? 8);
const WRITERS = 24;
const READERS = 3;

describe('the feeds of unsubscribes', () => {
  jest.setTimeout((WRITES + 120) * 1000);
  const app = useTestApp({ at: '2026-11-20T08:32:00.750Z', env: { DATABASE_POOL: '40' } });
  let made = 0;
  const fresh = (count: number) => Array.from({ length: count }, () => phone(made++));
  const valuesOf = ({ items }: FeedAnswer) => items.map(({ value }) => value);
  const org = perTest(() => createOrganization(app, { defaultRegion: 'KR' }));
  const sms = new UnsubscribeClient(org);

  it('show every field of an entry and of its deletion', async () => {
    const email = new UnsubscribeClient(org, 'EMAIL');
    const value = phone(made++);
    const entry = await sms.register(value, { source: 'desk', unsubscribedAt: '2026-11-01T00:00:00Z' });
    const list = await sms.list();
    const shown = { channel: 'SMS', phone: value, email: null, value };
    expect(list).toEqual({
      channel: 'SMS',
      items: [
        {
          id: entry.id,
          ...shown,
          method: 'API',
          source: 'desk',
          unsubscribedAt: '2026-11-01T00:00:00Z',
          cursor: list.nextCursor,
        },
      ],
      nextCursor: expect.stringMatching(/^[A-Za-z0-9_-]{36}$/),
      hasMore: false,
    });
    await sms.remove(value);
    const { items, nextCursor } = await sms.deletions();
    expect(items).toEqual([
      {
        id: expect.any(Number),
        ...shown,
        sourceId: entry.id,
        deletedAt: '2026-11-20T08:32:00Z',
        cursor: nextCursor,
      },
    ]);
    expect(items[0]?.id).not.toBe(entry.id);
    await email.register('a@b.example');
    expect((await email.list()).items).toMatchObject([
      { phone: null, email: 'a@b.example', value: 'a@b.example' },
    ]);
  });

  it('continue behind any item, at its cursor', async () => {
    const values = fresh(3);
    for (const value of values) await sms.register(value);
    const { items } = await sms.list();
    expect(valuesOf(await sms.list(items[0]?.cursor as string))).toEqual(values.slice(1));
    for (const value of values) await sms.remove(value);
    const deletions = await sms.deletions();
    expect(valuesOf(await sms.deletions(deletions.items[1]?.cursor as string))).toEqual(values.slice(2));
  });

  it('are empty at first, with a cursor to continue from', async () => {
    const list = await sms.list();
    expect(list).toMatchObject({ items: [], hasMore: false });
    const watermark = await sms.watermark(true);
    expect(watermark).toEqual({
      channel: 'SMS',
      latestCursor: list.nextCursor,
      asOf: '2026-11-20T08:32:00Z',
      total: 0,
      totalAsOf: '2026-11-20T08:32:00Z',
    });
    expect(await sms.watermark()).toEqual({
      channel: 'SMS',
      latestCursor: list.nextCursor,
      asOf: '2026-11-20T08:32:00Z',
    });
    const [value = ''] = fresh(1);
    await sms.register(value);
    expect(valuesOf(await sms.list(list.nextCursor))).toEqual([value]);
  });

  it.each([
    [4, [4, 4, 2]],
    [5, [5, 5]],
    [10, [10]],
  ])('have pages of %d, oldest first, and end with hasMore false', async (limit, sizes) => {
    const values = fresh(10);
    await sms.registerMany(values);
    const pages: FeedAnswer[] = [];
    do pages.push(await sms.list(pages.at(-1)?.nextCursor, limit));
    while (pages.at(-1)?.hasMore);
    expect(pages.map(({ items }) => items.length)).toEqual(sizes);
    expect(pages.flatMap(valuesOf)).toEqual(values);
    expect(pages.at(-1)?.nextCursor).toBe((await sms.watermark()).latestCursor);
    expect(await sms.list(pages.at(-1)?.nextCursor)).toMatchObject({
      items: [],
      hasMore: false,
      nextCursor: pages.at(-1)?.nextCursor,
    });
  });

  it('have a limit of 500 by default, and of 1000 at most', async () => {
    await sms.registerMany(fresh(501));
    expect((await sms.list()).items).toHaveLength(500);
    expect((await sms.list(undefined, 1000)).items).toHaveLength(501);
  });

  it('end at the watermark even when the newest entries are deleted', async () => {
    const values = fresh(6);
    await sms.registerMany(values);
    const before = await sms.watermark();
    await sms.removeMany(values.slice(3));
    const watermark = await sms.watermark(true);
    expect(watermark.latestCursor).not.toBe(before.latestCursor);
    expect(watermark.total).toBe(3);
    for (const limit of [1, 2, 3, 4]) {
      let page = await sms.list(undefined, limit);
      while (page.hasMore) page = await sms.list(page.nextCursor, limit);
      expect(page.nextCursor).toBe(watermark.latestCursor);
    }
    expect(valuesOf(await sms.deletions())).toEqual(values.slice(3));
  });

  it('move the watermark with deletions, and never without a change', async () => {
    const [one = '', two = ''] = fresh(2);
    await sms.registerMany([one, two]);
    const { nextCursor } = await sms.list();
    await sms.remove(phone(70_000_000));
    await sms.register(one);
    expect((await sms.watermark()).latestCursor).toBe(nextCursor);
    await sms.remove(one);
    const moved = await sms.watermark();
    expect(moved.latestCursor).not.toBe(nextCursor);
    expect(await sms.list(nextCursor)).toMatchObject({ items: [], nextCursor: moved.latestCursor });
  });

  it('return a re-registered value as a new entry', async () => {
    const [value = ''] = fresh(1);
    const first = await sms.register(value);
    const { nextCursor } = await sms.list();
    const { nextCursor: gone } = await sms.deletions();
    await sms.remove(value);
    const second = await sms.register(value);
    expect((await sms.list(nextCursor)).items).toMatchObject([{ id: second.id, value }]);
    expect((await sms.deletions(gone)).items).toMatchObject([{ sourceId: first.id, value }]);
  });

  describe('refuse a cursor', () => {
    const feeds = ['', '/deletions'];
    const refuse = async (client: TestOrganization, path: string, channel: string, cursor: string) => {
      const query = new URLSearchParams({ channel, cursor });
      const { status, body } = await client.api.get(`${UNSUBSCRIBES}${path}?${query.toString()}`);
      expect([path, cursor, status, (body as { code: string }).code]).toEqual([
        path,
        cursor,
        400,
        'INVALID_CURSOR',
      ]);
      expect(body.details).toMatchObject([{ field: 'cursor' }]);
    };

    it('that was changed in any byte', async () => {
      await sms.registerMany(fresh(3));
      await sms.removeMany(fresh(1));
      for (const path of feeds) {
        const { nextCursor } = path === '' ? await sms.list() : await sms.deletions();
        for (let i = 0; i < nextCursor.length; i++) {
          const letter = nextCursor[i] ?? '';
          const others = ['A', '='].filter((other) => other !== letter);
          const flipped = String.fromCharCode(letter.charCodeAt(0) ^ 1);
          for (const other of [...others, flipped]) {
            await refuse(org, path, 'SMS', nextCursor.slice(0, i) + other + nextCursor.slice(i + 1));
          }
          await refuse(org, path, 'SMS', nextCursor.slice(0, i) + nextCursor.slice(i + 1));
        }
        for (const cursor of [`${nextCursor}A`, `${nextCursor}=`, ` ${nextCursor}`, 'x', '0', 'null', '1']) {
          await refuse(org, path, 'SMS', cursor);
        }
      }
    });

    it('of another channel, feed or organization', async () => {
      const [value = ''] = fresh(1);
      const foreign = await createOrganization(app, { defaultRegion: 'KR' });
      for (const channel of ['SMS', 'WHATSAPP']) {
        for (const owner of [org, foreign]) await new UnsubscribeClient(owner, channel).register(value);
      }
      const list = (await sms.list()).nextCursor;
      const deletions = (await sms.deletions()).nextCursor;
      expect(deletions).not.toBe(list);
      await refuse(org, '', 'WHATSAPP', list);
      await refuse(org, '/deletions', 'WHATSAPP', deletions);
      await refuse(org, '/deletions', 'SMS', list);
      await refuse(org, '', 'SMS', deletions);
      await refuse(foreign, '', 'SMS', list);
      await refuse(foreign, '/deletions', 'SMS', deletions);
      expect((await new UnsubscribeClient(foreign).list()).nextCursor).not.toBe(list);
    });

    it('but accepts an empty one as none, and one from an ended process', async () => {
      const values = fresh(2);
      await sms.registerMany(values);
      expect(valuesOf(await sms.list(''))).toEqual(values);
      const { nextCursor } = await sms.list(undefined, 1);
      const second = await TestApp.start({ database: app.database });
      const there = new UnsubscribeClient({ ...org, api: serviceApi(second, org.apiKey) });
      expect(valuesOf(await there.list(nextCursor))).toEqual(values.slice(1));
      await second.close();
    });
  });

  it(`skip and repeat nothing, and keep their order, during ${WRITERS} concurrent writers, some of which roll back`, async () => {
    app.clock.run();
    // Some transactions roll back after taking positions, and all are slow to commit.
    await app.sql(`
      CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_sleep(random() * 0.004);
        IF random() < 0.25 THEN RAISE EXCEPTION 'in vain' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END $$`);
    await app.sql(`
      CREATE TRIGGER dawdle AFTER INSERT ON outbox_events FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`);
    const base = 30_000_000;
    let failures = 0;
    const { api } = org;
    const call = async (sent: ReturnType<typeof api.post>) => {
      const { status } = await sent;
      if (status >= 400 && status !== 503) throw new Error(`answered ${status}`);
      if (status === 503) failures++;
    };

    const write = async () => {
      for (let written = 0; written < WRITES; written++) {
        await delay(Math.random() * 10);
        const some = Array.from({ length: 4 }, () => phone(base + Math.floor(Math.random() * 100)));
        const [one = ''] = some;
        const kind = Math.random();
        if (kind < 0.4) await call(api.post(UNSUBSCRIBES, { value: one }));
        else if (kind < 0.6)
          await call(api.post(`${UNSUBSCRIBES}/bulk`, { items: some.map((value) => ({ value })) }));
        else if (kind < 0.8) await call(api.delete(`${UNSUBSCRIBES}?value=${encodeURIComponent(one)}`));
        else await call(api.delete(`${UNSUBSCRIBES}/bulk`, { values: some }));
      }
    };
    /** Follows one feed from the start during other activity. */
    const follow = async (read: (cursor?: string) => Promise<FeedAnswer>, done: () => boolean) => {
      const ids: number[] = [];
      let cursor: string | undefined;
      for (;;) {
        const over = done();
        const page = await read(cursor);
        ids.push(...page.items.map(({ id }) => Number(id)));
        cursor = page.nextCursor;
        if (over && !page.hasMore) return ids;
        await delay(Math.random() * 5);
      }
    };
    let writing = true;
    const readers = Array.from({ length: READERS }, async () => {
      const list = follow(
        (cursor) => sms.list(cursor, 7),
        () => !writing,
      );
      const deletions = follow(
        (cursor) => sms.deletions(cursor, 7),
        () => !writing,
      );
      return { list: await list, deletions: await deletions };
    });
    await Promise.all(Array.from({ length: WRITERS }, () => write()));
    writing = false;
    const seen = await Promise.all(readers);
    await app.sql('DROP TRIGGER dawdle ON outbox_events');

    const rows = await app.sql<{
      id: number;
      deletion_id: number | null;
      position: number;
      deletion_position: number;
    }>(
      'SELECT id, position, deletion_id, deletion_position FROM unsubscribes WHERE organization_id = $1 ORDER BY position',
      [org.organizationId],
    );
    const gone = rows
      .filter(({ deletion_id: id }) => id !== null)
      .sort((a, b) => a.deletion_position - b.deletion_position)
      .map(({ deletion_id: id }) => Number(id));
    const order = new Map(rows.map(({ id }, i) => [id, i]));
    expect(failures).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(20);
    expect(gone.length).toBeGreaterThan(2);
    // Every position was assigned once, including rolled-back ones.
    const places = rows.flatMap((row) => [row.position, ...(row.deletion_id ? [row.deletion_position] : [])]);
    expect(places.sort((a, b) => a - b)).toEqual(places.map((_, i) => i + 1));
    for (const { list, deletions } of seen) {
      expect(deletions).toEqual(gone);
      // The list skips entries deleted before they were read, and has all others in order, once.
      const standing = rows.filter(({ deletion_id: id }) => id === null).map(({ id }) => id);
      expect(new Set(list).size).toBe(list.length);
      expect(list.map((id) => order.get(id))).toEqual(
        list.map((id) => order.get(id)).sort((a, b) => Number(a) - Number(b)),
      );
      expect(standing.filter((id) => !list.includes(id))).toEqual([]);
    }
    expect(await sms.watermark(true)).toMatchObject({ total: rows.length - gone.length });
  });
});
