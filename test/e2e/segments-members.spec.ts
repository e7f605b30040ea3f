import { Database } from '../../src/infrastructure/database/database';
import { ContactActivity } from '../../src/modules/contacts/contact-activity';
import { SegmentEvaluations } from '../../src/modules/segments/segment-evaluations';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { type ApiClient, consoleApi, type TestOrganization } from '../support/factories';
import { GOLD, groups, SegmentConsole } from '../support/segments';
import { useTestApp } from '../support/test-app';

describe('members of segments', () => {
  const app = useTestApp();
  let platform: ApiClient;
  let book: TestOrganization;
  let segments: SegmentConsole;

  beforeAll(() => {
    platform = consoleApi(app);
  });
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    book = await createBook(app, { timeZone: 'Asia/Seoul', baseCurrency: 'KRW' });
    segments = new SegmentConsole(app, book);
  });

  it('match encrypted values, and store their conditions encrypted', async () => {
    await saveContact(book, {
      externalUserId: 'kim',
      phoneNumber: '010-1234-5678',
      email: 'Kim@Shop.example',
    });
    await saveContact(book, { externalUserId: 'lee', email: 'lee@shop.example.org', pushIdentify: 'fcm:1' });
    const ask = (propKey: string, propOp: string, propValue?: unknown) =>
      segments.members({ propKey, propOp, propValue });
    expect(await ask('phoneNumber', 'EQ', '+82 10 1234 5678')).toEqual(['kim']);
    expect(await ask('phoneNumber', 'NE', '+82 10 1234 5678')).toEqual(['lee']);
    expect(await ask('email', 'IN', ['kim@shop.example', 'x@y.example'])).toEqual(['kim']);
    expect(await ask('email', 'CONTAINS', '@shop.example')).toEqual(['kim']);
    expect(await ask('phoneNumber', 'NOT_EXISTS')).toEqual(['lee']);
    expect(await ask('pushIdentify', 'EXISTS')).toEqual(['lee']);
    const kept = JSON.stringify(await app.sql('SELECT * FROM segments'));
    expect(kept).toContain('conditions');
    for (const plain of ['1234', 'kim@', 'shop.example', 'phoneNumber']) expect(kept).not.toContain(plain);
  });

  it('can be listed as contacts, together with other filters', async () => {
    const gold = { customFields: { grade: 'gold' } };
    for (const n of [1, 2, 3])
      await saveContact(book, { externalUserId: `gold-${n}`, ...gold, tags: n > 1 ? ['vip'] : [] });
    await saveContact(book, { externalUserId: 'plain', tags: ['vip'] });
    const { id } = await segments.make(GOLD);
    const members = async (query: object = {}) => {
      const { body } = await book.api.get(CONTACTS, { segmentId: id, ...query }).expect(200);
      const ids = (body.content as { externalUserId: string }[]).map(({ externalUserId }) => externalUserId);
      return { ids, total: body.totalElements as number };
    };
    expect(await members()).toEqual({ ids: [], total: 0 });
    await segments.evaluate(id);
    expect(await members()).toEqual({ ids: ['gold-3', 'gold-2', 'gold-1'], total: 3 });
    expect(await members({ size: 1, page: 1 })).toEqual({ ids: ['gold-2'], total: 3 });
    expect(await members({ tag: 'vip' })).toEqual({ ids: ['gold-3', 'gold-2'], total: 2 });
    const inConsole = `/api/v1/console/organizations/${book.organizationId}/messaging/contacts`;
    const { body: same } = await platform.get(inConsole, { segmentId: id }).expect(200);
    expect(same.totalElements).toBe(3);
    const other = await createBook(app);
    const foreign = await other.api.get(CONTACTS, { segmentId: id }).expect(400);
    expect(foreign.body.details).toEqual([
      { field: 'segmentId', message: 'must be a segment of the organization' },
    ]);
  });

  it('are listed for those alone who may see segments', async () => {
    const { id } = await segments.make(GOLD);
    const list = (of: TestOrganization) => of.api.get(CONTACTS, { segmentId: id }).expect(403);
    const unpermitted = await createBook(app, { permissions: [] });
    expect((await list(unpermitted)).body).toMatchObject({
      code: 'PERMISSION_DENIED',
      permission: 'segments.view',
    });
    const unbooked = await createBook(app, { addOns: ['MESSAGING'] });
    expect((await list(unbooked)).body).toMatchObject({
      code: 'ADDON_REQUIRED',
      addonCode: 'DYNAMIC_SEGMENT',
    });
  });

  it('treat every value literally', async () => {
    const odd = `x' OR '1'='1`;
    await saveContact(book, { externalUserId: odd, customFields: { [odd]: odd, '%': '\\' } });
    await saveContact(book, { externalUserId: 'lee' });
    expect(await segments.members({ propKey: 'externalUserId', propOp: 'EQ', propValue: odd })).toEqual([
      odd,
    ]);
    expect(
      await segments.members({ propKey: `custom.${odd}`, propOp: 'STARTS_WITH', propValue: odd }),
    ).toEqual([odd]);
    expect(await segments.members({ propKey: 'custom.%', propOp: 'CONTAINS', propValue: '\\' })).toEqual([
      odd,
    ]);
    expect(await segments.members({ propKey: 'externalUserId', propOp: 'CONTAINS', propValue: '%' })).toEqual(
      [],
    );
    expect(
      await segments.members({ propKey: `activity.${odd}.count`, propOp: 'EQ', propValue: 0 }),
    ).toHaveLength(2);
  });

  it('treat a custom field as a date if its text is one, and ignore it otherwise', async () => {
    const dates = [
      '2000-02-29',
      '2024-02-29',
      '2026-11-18',
      '2026-11-18T00:00:00',
      '2026-11-18T23:59:59',
      '9999-12-31',
    ];
    const others = [
      ...[
        '2023-02-29',
        '2100-02-29',
        '2026-02-30',
        '2026-11-31',
        '2026-13-01',
        '2026-00-10',
        '2026-11-00',
        '0999-12-31',
      ],
      ...['2026-11-18T24:00:00', '2026-11-18T23:60:00', '2026-11-18T23:59:60', '2026-11-18T10:00'],
      ...['2026-11-18 10:00:00', '2026-11-18T10:00:00Z', '2026-11-18T10:00:00+09', '12026-11-18'],
      ...['18-11-2026', '-1-11-2026', ' 2026-11-18', '２０２６-11-18', 'today', 'infinity', 'abcd-ef-gh', ''],
    ];
    for (const date of [...dates, ...others]) {
      await saveContact(book, { externalUserId: `is ${date}`, customFields: { date } });
    }
    const condition = { propKey: 'custom.date', propOp: 'GT', propValue: '1000-01-01' };
    expect(await segments.members(condition)).toEqual(dates.map((date) => `is ${date}`));
    const lately = { propKey: 'custom.date', propOp: 'WITHIN_LAST_DAYS', propValue: 3 };
    expect(await segments.members(lately)).toEqual(dates.slice(2, 5).map((date) => `is ${date}`));
  });

  it('are only active contacts of the organization', async () => {
    const other = await createBook(app);
    await saveContact(other, { externalUserId: 'foreign', tags: ['vip'] });
    await saveContact(book, { externalUserId: 'kim', tags: ['vip'] });
    const gone = await saveContact(book, { externalUserId: 'gone', tags: ['vip'] });
    const { id } = await segments.make(groups({ propKey: 'tags', propOp: 'EQ', propValue: 'vip' }));
    expect(await segments.evaluate(id)).toMatchObject({ memberCount: 2 });
    await book.api.delete(`${CONTACTS}/${gone.id}`).expect(204);
    await saveContact(book, { externalUserId: 'lee', tags: ['old', 'vip'] });
    expect(await segments.evaluate(id)).toMatchObject({ memberCount: 2 });
    expect(await segments.membersOf(id)).toEqual(['kim', 'lee']);
    expect(await segments.members({ propKey: 'groupIds', propOp: 'EXISTS' })).toEqual(['kim', 'lee']);
  });

  it('are exported and erased with the person', async () => {
    const { id } = await saveContact(book, { externalUserId: 'kim', customFields: { grade: 'gold' } });
    const segment = await segments.make(GOLD, { name: 'Gold' });
    await segments.evaluate(segment.id);
    const person = `/api/v1/console/organizations/${book.organizationId}/contacts/${id}`;
    const { body } = await platform.get(`${person}/export`).expect(200);
    expect(body.others.segments).toEqual([{ id: segment.id, name: 'Gold' }]);
    await platform.delete(`${person}?erase=true`).expect(204);
    expect(await app.sql('SELECT * FROM segment_members WHERE contact_id = $1', [id])).toEqual([]);
    expect(await segments.evaluate(segment.id)).toMatchObject({ memberCount: 0 });
  });

  it('are evaluated sequentially under concurrency', async () => {
    for (let i = 0; i < 20; i++) await saveContact(book, { externalUserId: `m${i}`, tags: ['vip'] });
    const { id } = await segments.make(groups({ propKey: 'tags', propOp: 'EXISTS' }));
    const answers = await Promise.all(Array.from({ length: 8 }, () => segments.evaluate(id)));
    expect(answers.map(({ memberCount }) => memberCount)).toEqual(Array.from({ length: 8 }, () => 20));
    expect(await segments.membersOf(id)).toHaveLength(20);
  });

  describe('daily', () => {
    const tick = async (at: string) => {
      app.clock.set(at);
      await app.sql('DELETE FROM scheduled_jobs');
      expect(await app.get(SegmentEvaluations).daily()).toBe(true);
    };
    const lastOf = async (id: number) =>
      (await platform.get(`${segments.path}/${id}`).expect(200)).body.lastEvaluatedAt as string | null;

    it('are evaluated once, from 3 a.m. on, and after downtime', async () => {
      const { id } = await segments.make(GOLD);
      const asleep = await segments.make(GOLD, { isActive: false });
      await tick('2026-11-20T17:59:59Z');
      expect(await lastOf(id)).toBeNull();
      await tick('2026-11-20T18:00:00Z');
      expect(await lastOf(id)).toBe('2026-11-21T03:00:00+09:00');
      await tick('2026-11-21T17:45:00Z');
      expect(await lastOf(id)).toBe('2026-11-21T03:00:00+09:00');
      await tick('2026-11-24T10:00:00Z');
      expect(await lastOf(id)).toBe('2026-11-24T19:00:00+09:00');
      await tick('2026-11-24T17:59:00Z');
      expect(await lastOf(id)).toBe('2026-11-24T19:00:00+09:00');
      expect(await lastOf(asleep.id)).toBeNull();
      expect((await platform.get(`${segments.path}/${id}`)).body.lastUsedAt).toBeNull();
    });

    it.each([
      ['Asia/Kathmandu', '2026-11-20T21:14:59Z', '2026-11-20T21:15:00Z'],
      ['America/New_York', '2026-11-21T07:59:59Z', '2026-11-21T08:00:00Z'],
      ['Pacific/Chatham', '2026-11-20T13:14:59Z', '2026-11-20T13:15:00Z'],
    ])('run at their hour in %s', async (timeZone, before, at) => {
      book = await createBook(app, { timeZone });
      segments = new SegmentConsole(app, book);
      const { id } = await segments.make(GOLD);
      await tick(before);
      expect(await lastOf(id)).toBeNull();
      await tick(at);
      expect(await lastOf(id)).toMatch(/T03:00:00/);
    });

    it('continue when one of them fails', async () => {
      const broken = await segments.make(GOLD);
      const { id } = await segments.make(GOLD);
      await app.sql(`UPDATE segments SET conditions = 'broken' WHERE id = $1`, [broken.id]);
      await tick('2026-11-20T18:00:00Z');
      expect(await lastOf(id)).toBe('2026-11-21T03:00:00+09:00');
    });

    it('include today and the days before it', async () => {
      await app.get(Database).write(async (tx) => {
        for (const [externalUserId, at] of [
          ['today', '2026-11-19T15:00:00Z'],
          ['yesterday', '2026-11-19T14:59:59Z'],
          ['week', '2026-11-13T15:00:00Z'],
          ['before', '2026-11-13T14:59:59Z'],
        ] as const) {
          await saveContact(book, { externalUserId });
          const action = {
            organizationId: book.organizationId,
            externalUserId,
            metric: 'login',
            amount: null,
          };
          await app.get(ContactActivity).record(tx, [{ ...action, at: new Date(at) }]);
        }
      });
      await saveContact(book, { externalUserId: 'never' });
      const login = (propOp: string, propValue: unknown) =>
        segments.members({ propKey: 'activity.login.last', propOp, propValue });
      expect(await login('WITHIN_LAST_DAYS', 1)).toEqual(['today']);
      expect(await login('WITHIN_LAST_DAYS', 7)).toEqual(['today', 'week', 'yesterday']);
      expect(await login('BEFORE_LAST_DAYS', 7)).toEqual(['before']);
      expect(await login('EQ', '2026-11-19')).toEqual(['yesterday']);
      expect(await login('GT', '2026-11-19')).toEqual(['today']);
      expect(await login('GTE', '2026-11-20T00:00:00')).toEqual(['today']);
      expect(await login('NE', '2026-11-19')).toContain('never');
    });
  });
});
