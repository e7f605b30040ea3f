import { Database } from '../../src/infrastructure/database/database';
import { ContactActivity } from '../../src/modules/contacts/contact-activity';
import { OPERATORS } from '../../src/modules/segments/segment-condition';
import { SegmentEvaluations } from '../../src/modules/segments/segment-evaluations';
import { CONTACTS, createBook, saveContact } from '../support/contacts';
import { consoleApi, type TestOrganization } from '../support/factories';
import { type Given, GOLD, groups, SegmentConsole } from '../support/segments';
import { useTestApp } from '../support/test-app';

const SEGMENTS = '/api/v1/service/analytics/segments';

describe('segments', () => {
  const app = useTestApp();
  let book: TestOrganization;
  let segments: SegmentConsole;

  const platform = consoleApi(app);
  beforeEach(async () => {
    app.clock.set('2026-11-20T08:32:00Z');
    book = await createBook(app, { timeZone: 'Asia/Seoul', baseCurrency: 'KRW' });
    segments = new SegmentConsole(app, book);
  });

  it('are created, read, changed and deleted in the console', async () => {
    const made = await segments.make(GOLD, { name: 'Gold', description: 'The best' });
    const time = '2026-11-20T17:32:00+09:00';
    const summary = {
      id: expect.any(Number),
      name: 'Gold',
      description: 'The best',
      isActive: true,
      memberCount: 0,
      conditionGroupCount: 1,
      lastEvaluatedAt: null,
      lastUsedAt: null,
      createdAt: time,
      updatedAt: time,
    };
    const condition = { propKey: 'custom.grade', propOp: 'EQ', propValue: 'gold', compareKey: null };
    expect(made).toEqual({
      ...summary,
      conditionText: 'custom.grade = "gold"',
      conditionGroups: [{ conditions: [condition] }],
    });
    expect((await platform.get(`${segments.path}/${made.id}`).expect(200)).body).toEqual(made);
    app.clock.set('2026-11-20T09:00:00Z');
    const put = async (body: object) =>
      (await platform.put(`${segments.path}/${made.id}`, body).expect(200)).body;
    expect(await put({ isActive: false })).toEqual({
      ...made,
      isActive: false,
      updatedAt: '2026-11-20T18:00:00+09:00',
    });
    const changed = await put({
      name: 'Silver',
      description: null,
      conditionGroups: [...GOLD, ...groups({ propKey: 'tags', propOp: 'EXISTS' })],
    });
    expect(changed).toMatchObject({ name: 'Silver', description: null, conditionGroupCount: 2 });
    expect(changed.conditionText).toBe('(custom.grade = "gold") OR (tags exists)');
    const { body: page } = await platform.get(segments.path).expect(200);
    expect(page).toMatchObject({ totalElements: 1, content: [{ id: made.id, name: 'Silver' }] });
    await platform.delete(`${segments.path}/${made.id}`).expect(204);
    for (const gone of [
      platform.get(`${segments.path}/${made.id}`),
      platform.delete(`${segments.path}/${made.id}`),
    ]) {
      await gone.expect(404);
    }
    const log = await platform.get(`${book.consolePath}/audit-log`);
    const actions = log.body.content.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 4)).toEqual([
      'segment.delete',
      'segment.update',
      'segment.update',
      'segment.create',
    ]);
    expect(JSON.stringify(log.body)).not.toContain('gold');
  });

  it('are listed by name with their sizes, and shown, by the Service API', async () => {
    await saveContact(book, { externalUserId: 'kim', customFields: { grade: 'gold' } });
    for (const name of ['b', 'a', 'c']) await segments.make(GOLD, { name });
    const { body } = await book.api.get(SEGMENTS, { size: 2 }).expect(200);
    expect(body).toEqual({
      page: 0,
      size: 2,
      totalElements: 3,
      totalPages: 2,
      timeZone: 'Asia/Seoul',
      segments: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
    });
    const [first] = body.segments;
    expect(first).not.toHaveProperty('conditionGroups');
    const evaluated = await segments.evaluate(first.id);
    expect(evaluated).toMatchObject({ memberCount: 1, lastEvaluatedAt: '2026-11-20T17:32:00+09:00' });
    expect(evaluated.lastUsedAt).toBe(evaluated.lastEvaluatedAt);
    expect((await book.api.get(`${SEGMENTS}/${first.id}`).expect(200)).body).toEqual(evaluated);
    const { body: rest } = await book.api.get(SEGMENTS, { page: 1, size: 2 }).expect(200);
    expect(rest.segments.map(({ name }: { name: string }) => name)).toEqual(['c']);
    await book.api.get(SEGMENTS, { size: 50 }).expect(200);
    for (const query of [{ size: 51 }, { size: 0 }, { page: -1 }]) {
      const { body: refused } = await book.api.get(SEGMENTS, query).expect(400);
      expect(refused.details[0].field).toBe(Object.keys(query)[0]);
    }
    const { body: usual } = await book.api.get(SEGMENTS).expect(200);
    expect(usual).toMatchObject({ page: 0, size: 10 });
  });

  it('have limits, and name the field beyond them', async () => {
    const one = { propKey: 'custom.grade', propOp: 'EQ', propValue: 'é'.repeat(2000) };
    const full = {
      conditions: Array.from({ length: 20 }, (_, i) => (i === 0 ? one : { ...one, propValue: i })),
    };
    const most = {
      name: 'é'.repeat(100),
      description: 'é'.repeat(500),
      conditionGroups: Array.from({ length: 20 }, () => full),
    };
    const { body: made } = await segments.post(most).expect(201);
    await segments.evaluate(made.id);
    const item = { propKey: 'name', propOp: 'IN', propValue: Array.from({ length: 100 }, (_, i) => i) };
    await segments.make(groups(item));
    for (const [field, body] of [
      ['conditionGroups', { ...most, conditionGroups: [...most.conditionGroups, full] }],
      ['conditionGroups', { ...most, conditionGroups: [] }],
      ['conditionGroups', { name: 'x' }],
      ['conditionGroups', { ...most, conditionGroups: [1] }],
      ['conditionGroups[0].conditions', { ...most, conditionGroups: [{ conditions: [] }] }],
      [
        'conditionGroups[0].conditions',
        { ...most, conditionGroups: [{ conditions: [...full.conditions, one] }] },
      ],
    ] as const) {
      const { body: answer, status } = await segments.post(body);
      expect([status, answer.details?.[0].field]).toEqual([400, field]);
    }
    for (const propValue of [
      'é'.repeat(2001),
      '\u0000',
      [],
      Array.from({ length: 101 }, () => 'x'),
      {},
      [[1]],
    ]) {
      const { body: answer } = await segments.post({
        name: 'x',
        conditionGroups: groups({ ...item, propValue }),
      });
      expect(answer.details[0].field).toBe('conditionGroups[0].conditions[0].propValue');
    }
    for (const [field, wrong] of [
      ['propKey', { propKey: 'é'.repeat(301) }],
      ['propOp', { propOp: 'LIKE' }],
      ['compareKey', { propValue: null, compareKey: 'é'.repeat(301) }],
    ] as const) {
      const { body: answer } = await segments.post({
        name: 'x',
        conditionGroups: groups({ ...one, ...wrong }),
      });
      expect(answer.details[0].field).toBe(`conditionGroups[0].conditions[0].${field}`);
    }
  });

  it('number at most two hundred, even under concurrency', async () => {
    await app.sql(
      `INSERT INTO segments (organization_id, id, name, is_active, condition_group_count, conditions, created_at, updated_at)
       SELECT $1, nextval('segment_ids'), 'x', false, 1, 'x', now(), now() FROM generate_series(1, 195)`,
      [book.organizationId],
    );
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => segments.post({ name: 'x', conditionGroups: GOLD })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers
      .filter(({ status }) => status !== 201)
      .map(({ status, body }) => [status, body.code]);
    expect(new Set(refused.map(String))).toEqual(new Set(['409,TOO_MANY_SEGMENTS']));
  });

  describe('their conditions', () => {
    const refusalOf = async (condition: Given) => {
      const { body, status } = await segments.post({ name: 'x', conditionGroups: groups(condition) });
      return status === 201 ? null : [status, body.details[0].field.split('.').at(-1)];
    };
    const TEXT = ['EQ', 'NE', 'CONTAINS', 'STARTS_WITH', 'IN', 'EXISTS', 'NOT_EXISTS'];
    const NUMBER = ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE', 'IN', 'EXISTS', 'NOT_EXISTS'];
    const DATE = [...NUMBER.filter((each) => each !== 'IN'), 'WITHIN_LAST_DAYS', 'BEFORE_LAST_DAYS'];
    const LIST = ['EQ', 'NE', 'CONTAINS', 'IN', 'EXISTS', 'NOT_EXISTS'];
    const SEALED = ['EQ', 'NE', 'IN', 'EXISTS', 'NOT_EXISTS'];

    it.each([
      ['name', TEXT, 'x'],
      ['origin', TEXT, 'x'],
      ['id', NUMBER, 1],
      ['pushTokenIdx', NUMBER, '17'],
      ['activity.purchase.count', NUMBER, 1.5],
      ['smsOptIn', ['EQ', 'NE'], true],
      ['blocked', ['EQ', 'NE'], false],
      ['createdAt', DATE, '2026-11-20'],
      ['activity.login.first', DATE, '2026-11-20'],
      ['tags', LIST, 'vip'],
      ['groupIds', LIST, 7],
      ['phoneNumber', SEALED, '010-1234-5678'],
      ['email', [...SEALED, 'CONTAINS'], 'kim@shop.example'],
      ['pushIdentify', ['EXISTS', 'NOT_EXISTS'], 'fcm:1'],
      ['custom.grade', OPERATORS, '2026-11-20'],
    ] as const)('%s takes its operators and no others', async (propKey, operators, value) => {
      for (const propOp of OPERATORS) {
        const isAge = propOp.endsWith('LAST_DAYS');
        const plain = isAge ? 7 : propKey === 'email' && propOp === 'CONTAINS' ? '@shop.example' : value;
        const propValue = propOp === 'IN' ? [plain] : propOp.endsWith('EXISTS') ? null : plain;
        const expected = operators.some((each) => each === propOp) ? null : [400, 'propOp'];
        expect([propOp, await refusalOf({ propKey, propOp, propValue })]).toEqual([propOp, expected]);
      }
    });

    it.each([
      ['custom.'],
      ['status'],
      ['activity.login.average'],
      ['activity..first'],
      ['__proto__'],
      ["name'; DROP TABLE contacts; --"],
    ])('%s is not a property', async (propKey) => {
      expect(await refusalOf({ propKey, propOp: 'EXISTS' })).toEqual([400, 'propKey']);
      const compared = { propKey: 'name', propOp: 'EQ', compareKey: propKey };
      expect(await refusalOf(compared)).toEqual([400, 'compareKey']);
    });

    it.each([
      ['name', 'EQ', ''],
      ['name', 'IN', 'x'],
      ['name', 'EXISTS', 'x'],
      ['smsOptIn', 'EQ', 1],
      ['id', 'GT', 'many'],
      ['id', 'IN', [1, 'x']],
      ['createdAt', 'GT', '2026-02-30'],
      ['createdAt', 'GT', '0000-01-01'],
      ['createdAt', 'WITHIN_LAST_DAYS', 0],
      ['createdAt', 'WITHIN_LAST_DAYS', 36_501],
      ['createdAt', 'BEFORE_LAST_DAYS', '-1'],
      ['custom.age', 'GT', 'old'],
      ['phoneNumber', 'EQ', 'nobody'],
      ['email', 'IN', ['kim@shop.example', 'nobody']],
      ['email', 'CONTAINS', 'shop.example'],
      ['email', 'CONTAINS', '@shop'],
      ['groupIds', 'IN', ['the first']],
      ['tags', 'EQ', ''],
    ])('%s %s does not take %p', async (propKey, propOp, propValue) => {
      expect(await refusalOf({ propKey, propOp, propValue })).toEqual([400, 'propValue']);
    });

    it.each([
      ['createdAt', 'GT', 'custom.signup_date', null],
      ['custom.a', 'LTE', 'custom.b', null],
      ['custom.a', 'EQ', 'name', null],
      ['activity.purchase.count', 'GT', 'activity.login.count', null],
      ['smsOptIn', 'NE', 'emailOptIn', null],
      ['name', 'GT', 'custom.a', 'propOp'],
      ['custom.a', 'GT', 'name', 'propOp'],
      ['custom.a', 'CONTAINS', 'name', 'compareKey'],
      ['createdAt', 'WITHIN_LAST_DAYS', 'updatedAt', 'compareKey'],
      ['createdAt', 'GT', 'activity.login.count', 'compareKey'],
      ['email', 'EQ', 'custom.mail', 'compareKey'],
      ['tags', 'EQ', 'custom.tag', 'compareKey'],
      ['custom.tag', 'EQ', 'tags', 'compareKey'],
      ['smsOptIn', 'EQ', 'custom.a', 'compareKey'],
    ])('%s %s %s', async (propKey, propOp, compareKey, field) => {
      expect(await refusalOf({ propKey, propOp, compareKey })).toEqual(field === null ? null : [400, field]);
      const both = { propKey, propOp, compareKey, propValue: '2026-11-20' };
      if (field === null) expect(await refusalOf(both)).toEqual([400, 'propValue']);
    });
  });

  describe('members of segments', () => {
    it('match encrypted values, and store their conditions encrypted', async () => {
      await saveContact(book, {
        externalUserId: 'kim',
        phoneNumber: '010-1234-5678',
        email: 'Kim@Shop.example',
      });
      await saveContact(book, {
        externalUserId: 'lee',
        email: 'lee@shop.example.org',
        pushIdentify: 'fcm:1',
      });
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
        const ids = (body.content as { externalUserId: string }[]).map(
          ({ externalUserId }) => externalUserId,
        );
        return { ids, total: body.totalElements as number };
      };
      expect(await members()).toEqual({ ids: [], total: 0 });
      await segments.evaluate(id);
      expect(await members()).toEqual({ ids: ['gold-3', 'gold-2', 'gold-1'], total: 3 });
      expect(await members({ size: 1, page: 1 })).toEqual({ ids: ['gold-2'], total: 3 });
      expect(await members({ tag: 'vip' })).toEqual({ ids: ['gold-3', 'gold-2'], total: 2 });
      const inConsole = `${book.consolePath}/messaging/contacts`;
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
      expect(
        await segments.members({ propKey: 'externalUserId', propOp: 'CONTAINS', propValue: '%' }),
      ).toEqual([]);
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
        ...[
          '18-11-2026',
          '-1-11-2026',
          ' 2026-11-18',
          '２０２６-11-18',
          'today',
          'infinity',
          'abcd-ef-gh',
          '',
        ],
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
      const person = `${book.consolePath}/messaging/contacts/${id}`;
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
});
