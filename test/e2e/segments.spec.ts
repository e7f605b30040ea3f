import { OPERATORS } from '../../src/modules/segments/segment-condition';
import { createBook, saveContact } from '../support/contacts';
import { type ApiClient, consoleApi, type TestOrganization } from '../support/factories';
import { type Given, GOLD, groups, SegmentConsole } from '../support/segments';
import { useTestApp } from '../support/test-app';

const SEGMENTS = '/api/v1/service/analytics/segments';

describe('segments', () => {
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
    const log = await platform.get(`/api/v1/console/organizations/${book.organizationId}/audit-log`);
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
      ['externalUserId', TEXT, 'x'],
      ['origin', TEXT, 'x'],
      ['locale', TEXT, 'x'],
      ['id', NUMBER, 1],
      ['pushTokenIdx', NUMBER, '17'],
      ['activity.purchase.count', NUMBER, 1.5],
      ['activity.my.own.metric.sum', NUMBER, 1],
      ['smsOptIn', ['EQ', 'NE'], true],
      ['nightAdOptIn', ['EQ', 'NE'], 'false'],
      ['blocked', ['EQ', 'NE'], false],
      ['createdAt', DATE, '2026-11-20'],
      ['updatedAt', DATE, '2026-11-20T08:00:00'],
      ['activity.login.first', DATE, '2026-11-20'],
      ['activity.login.last', DATE, '2026-11-20'],
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
      ['phone'],
      ['custom.'],
      ['custom'],
      ['status'],
      ['activity.login'],
      ['activity.login.average'],
      ['activity..first'],
      ['__proto__'],
      ['constructor'],
      ["name'; DROP TABLE contacts; --"],
    ])('%s is not a property', async (propKey) => {
      expect(await refusalOf({ propKey, propOp: 'EXISTS' })).toEqual([400, 'propKey']);
      const compared = { propKey: 'name', propOp: 'EQ', compareKey: propKey };
      expect(await refusalOf(compared)).toEqual([400, 'compareKey']);
    });

    it.each([
      ['name', 'EQ', undefined],
      ['name', 'EQ', ''],
      ['name', 'EQ', ['x']],
      ['name', 'IN', 'x'],
      ['name', 'EXISTS', 'x'],
      ['name', 'CONTAINS', undefined],
      ['smsOptIn', 'EQ', 1],
      ['id', 'GT', 'many'],
      ['id', 'GT', true],
      ['id', 'EQ', '1'.repeat(21)],
      ['id', 'IN', [1, 'x']],
      ['activity.purchase.sum', 'GTE', '1e5'],
      ['createdAt', 'GT', '2026-02-30'],
      ['createdAt', 'GT', '2026-11-20T24:00:00'],
      ['createdAt', 'GT', '20.11.2026'],
      ['createdAt', 'GT', '0000-01-01'],
      ['createdAt', 'GT', 5],
      ['createdAt', 'WITHIN_LAST_DAYS', 0],
      ['createdAt', 'WITHIN_LAST_DAYS', 1.5],
      ['createdAt', 'WITHIN_LAST_DAYS', 36_501],
      ['createdAt', 'BEFORE_LAST_DAYS', '-1'],
      ['custom.age', 'GT', 'old'],
      ['custom.age', 'GT', true],
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
});
