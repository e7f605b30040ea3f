import { Database } from '../../src/infrastructure/database/database';
import { ContactActivity } from '../../src/modules/contacts/contact-activity';
import {
  type ConditionGroup,
  type Operator,
  OPERATORS_OF,
  type SegmentCondition,
} from '../../src/modules/segments/segment-condition';
import { contactProperty } from '../../src/modules/contacts/list/contact-properties';
import { CONTACTS, createBook, saveContact, type ShownContact } from '../support/contacts';
import { consoleApi, type TestOrganization } from '../support/factories';
import { pick, type Random, seeded } from '../support/random';
import { type KnownContact, SegmentOracle } from '../support/segment-oracle';
import { useTestApp } from '../support/test-app';

const ZONE = 'America/St_Johns';
const NOW = new Date('2026-11-20T02:10:00Z');
const PEOPLE = 60;
const QUESTIONS = 250;
const HOUR_MS = 3_600_000;

const WORDS = [
  'gold',
  'Gold',
  'silver',
  'ol',
  '',
  '12',
  '12.0',
  '-3.5',
  '007',
  '2026-11-18',
  '2026-11-18T23:30:00',
];
const TEXTS = [...WORDS, '2026-02-30', '2024-02-29', '2100-02-29', '0000-01-01', '1e3', 'Ärger', 'null'];
const TAGS = ['vip', 'old', 'new'];
const METRICS = ['login', 'purchase', 'my.own'];
const CUSTOM = ['a', 'b', 'signup.date'];

type Values = readonly (string | number | boolean)[];

/** Values that a property may be compared with, by its key. */
function valuesOf(key: string, groupIds: readonly number[]): Values {
  const property = contactProperty(key);
  switch (property?.kind) {
    case 'boolean':
      return [true, false, 'true'];
    case 'number':
      return [0, 1, 2, '12', -3.5, 100.25];
    case 'date':
      return ['2026-11-18', '2026-11-19', '2026-11-18T22:40:00', '2026-11-20T00:00:00'];
    case 'list':
      return key === 'tags' ? TAGS : [...groupIds, 999_999];
    case 'sealed':
      return key === 'email' ? ['m3@shop.example', 'm4@other.example'] : ['+821012340003', '+821012340004'];
    default:
      return TEXTS.filter((text) => text !== '');
  }
}

const KEYS = [
  'externalUserId',
  'name',
  'locale',
  'origin',
  'pushTokenIdx',
  'smsOptIn',
  'nightAdOptIn',
  'blocked',
  'createdAt',
  'updatedAt',
  'tags',
  'groupIds',
  'email',
  'phoneNumber',
  ...CUSTOM.map((key) => `custom.${key}`),
  ...METRICS.flatMap((metric) =>
    ['first', 'last', 'count', 'sum'].map((part) => `activity.${metric}.${part}`),
  ),
];

const COMPARED: readonly (readonly [string, Operator, string])[] = [
  ...(['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'] as const).flatMap((operator) => [
    ['custom.a', operator, 'custom.b'] as const,
    ['custom.a', operator, 'createdAt'] as const,
    ['createdAt', operator, 'custom.signup.date'] as const,
    ['activity.login.count', operator, 'activity.purchase.count'] as const,
    ['activity.purchase.sum', operator, 'custom.a'] as const,
    ['activity.login.last', operator, 'activity.purchase.first'] as const,
    ['createdAt', operator, 'updatedAt'] as const,
  ]),
  ['custom.a', 'EQ', 'name'],
  ['name', 'NE', 'custom.b'],
  ['smsOptIn', 'EQ', 'emailOptIn'],
];

// Each question creates and evaluates a segment.

describe('segments of random people', () => {
  const app = useTestApp();
  let book: TestOrganization;
  let people: KnownContact[];
  let groupIds: number[];
  const random = seeded(20_261_120);
  const one = <T>(values: readonly T[]): T =>
    pick(
      random,
      values.map((value) => [1, value] as const),
    );

  beforeAll(async () => {
    book = await createBook(app, { timeZone: ZONE, baseCurrency: 'KRW' });
    const made = await book.api.post('/api/v1/service/messaging/groups', { name: 'G' }).expect(201);
    const groupId = made.body.id as number;
    for (let i = 0; i < PEOPLE; i++) await make(i, groupId);
    people = await known();
    groupIds = [...new Set(people.flatMap((person) => person.groupIds))];
    app.clock.set(NOW);
  });

  const sometimes = <T>(value: T) => (random() < 0.6 ? value : undefined);
  const moment = (r: Random) => new Date(NOW.getTime() - Math.floor(r() * 96 * 6) * (HOUR_MS / 6));

  async function make(i: number, groupId: number): Promise<void> {
    app.clock.set(moment(random));
    const customFields = Object.fromEntries(
      CUSTOM.filter(() => random() < 0.7).map((key) => [key, one(TEXTS)]),
    );
    const externalUserId = `m${i}`;
    const body = {
      name: sometimes(one(WORDS)),
      locale: sometimes('ko-KR'),
      pushTokenIdx: sometimes(one([0, 1, 12])),
      smsOptIn: random() < 0.5,
      emailOptIn: random() < 0.5,
      tags: TAGS.filter(() => random() < 0.4),
      email: sometimes(`m${i}@${one(['shop', 'other'])}.example`),
      phoneNumber: sometimes(`010-1234-${String(i).padStart(4, '0')}`),
      groupId: sometimes(groupId),
      externalUserId,
    };
    await saveContact(book, { ...body, customFields });
    const { organizationId } = book;
    const actions = Array.from({ length: Math.floor(random() * 5) }, () => ({
      ...{ organizationId, externalUserId, metric: one(METRICS), at: moment(random) },
      amount: random() < 0.5 ? null : one(['1', '100.25', '-3.5', '12']),
    }));
    await app.get(Database).write((tx) => app.get(ContactActivity).record(tx, actions));
  }

  async function known(): Promise<KnownContact[]> {
    const { body } = await book.api.get(CONTACTS, { size: 100 }).expect(200);
    const contacts = body.content as ShownContact[];
    return Promise.all(
      contacts.map(async (contact) => {
        const activity = await app.get(ContactActivity).of(book.organizationId, contact.id);
        return { ...contact, activity };
      }),
    );
  }

  function question(): SegmentCondition {
    if (random() < 0.25) {
      const [propKey, propOp, compareKey] = one(COMPARED);
      return { propKey, propOp, compareKey, propValue: null };
    }
    const propKey = one(KEYS);
    const kind = contactProperty(propKey)?.kind ?? 'text';
    const operators =
      propKey === 'email' ? [...OPERATORS_OF.sealed, 'CONTAINS' as const] : OPERATORS_OF[kind];
    const propOp = one(operators);
    return { propKey, propOp, compareKey: null, propValue: valueFor(propKey, propOp) };
  }

  function valueFor(key: string, operator: Operator): SegmentCondition['propValue'] {
    if (operator === 'EXISTS' || operator === 'NOT_EXISTS') return null;
    if (operator.endsWith('LAST_DAYS')) return one([1, 2, '3', 400]);
    if (operator === 'CONTAINS' && key === 'email') return one(['@shop.example', '@nobody.example']);
    const values = valuesOf(key, groupIds);
    if (operator === 'IN') return [one(values), one(values)];
    if (!key.startsWith('custom.') || !['GT', 'GTE', 'LT', 'LTE'].includes(operator)) return one(values);
    return one(['12', 0, -3.5, '2026-11-18', '2026-11-18T23:30:00']);
  }

  it('have the members that a simple evaluation of their conditions finds', async () => {
    const oracle = new SegmentOracle(ZONE, NOW);
    const path = `/api/v1/console/organizations/${book.organizationId}/segments`;
    let met = 0;
    for (let i = 0; i < QUESTIONS; i++) {
      const conditionGroups: ConditionGroup[] =
        i < QUESTIONS * 0.7
          ? [{ conditions: [question()] }]
          : Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
              conditions: Array.from({ length: 1 + Math.floor(random() * 3) }, question),
            }));
      const api = consoleApi(app);
      const { body: made } = await api.post(path, { name: 'x', conditionGroups }).expect(201);
      await api.post(`${path}/${made.id}/evaluate`).expect(200);
      const rows = await app.sql<{ id: number }>(
        'SELECT contact_id AS id FROM segment_members WHERE segment_id = $1',
        [made.id],
      );
      const expected = people.filter((person) => oracle.meets(person, conditionGroups));
      const names = (ids: readonly number[]) =>
        people.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
      expect({ asked: made.conditionText, found: names(rows.map(({ id }) => id)) }).toEqual({
        asked: made.conditionText,
        found: expected.map(({ id }) => id),
      });
      if (expected.length > 0 && expected.length < people.length) met++;
      await api.delete(`${path}/${made.id}`).expect(204);
    }
    // Otherwise the test would prove little.
    expect(met).toBeGreaterThan(QUESTIONS / 2);
  });
});
