import { array, assert, constantFrom, integer, property, record, subarray } from 'fast-check';
import { DateTime } from 'luxon';
import { type Condition, type Follower, OPERATORS, type Property, WEEKDAYS } from './conditions';
import { routingOf, targetedDestination, unmetBefore } from './routing';

const VALUES: Record<Property, string[]> = {
  country: ['KR', 'JP', 'FR'],
  region: ['KR-11', 'KR-26', 'FR-IDF'],
  city: ['Seoul', 'BUSAN', 'Paris'],
  device: ['Mobile', 'Desktop', 'Tablet'],
  os: ['iOS', 'android', 'macOS', 'HarmonyOS'],
  language: ['ko', 'zh-Hant', 'zh', 'pt-BR'],
  query: ['a', 'b', ''],
  weekday: [...WEEKDAYS],
  time: ['00:00-24:00', '09:00-18:00', '22:00-06:00', '23:59-00:00', '12:34-12:35'],
};
const ZONES = ['UTC', 'Asia/Seoul', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];

interface Facts {
  country: string;
  region: string | null;
  city: string | null;
  device: string;
  os: string;
  platform: 'iOS' | 'Android' | null;
  language: string | null;
  query: string | null;
  now: number;
}

const facts = record<Facts>({
  country: constantFrom('KR', 'JP', 'US', 'Unknown'),
  region: constantFrom('KR-11', 'US-CA', null),
  city: constantFrom('Seoul', 'Busan', 'San Jose', null),
  device: constantFrom('Mobile', 'Desktop', 'Unknown'),
  os: constantFrom('iOS', 'Android', 'Mac OS', 'HarmonyOS', 'Unknown'),
  platform: constantFrom('iOS', 'Android', null),
  language: constantFrom('ko', 'ko-kr', 'zh-hant-tw', 'zh', 'pt', 'kok', null),
  query: constantFrom('a', 'A', '', null),
  // Years with their changes of offsets.
  now: integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) }),
});

const condition = constantFrom(...(Object.keys(VALUES) as Property[])).chain((name) =>
  record<Condition>({
    property: constantFrom(name),
    operator: constantFrom(...OPERATORS),
    values: subarray(VALUES[name], { minLength: 1 }),
    parameter: constantFrom(name === 'query' ? 'ref' : null),
    timeZone: name === 'weekday' || name === 'time' ? constantFrom(...ZONES) : constantFrom(null),
  }),
);
const listed = (values: string[]) => subarray(values, { maxLength: 2 });
const rules = array(
  record({
    countries: listed(VALUES.country),
    devices: listed(VALUES.device),
    os: listed(VALUES.os),
    conditions: array(condition, { maxLength: 3 }),
  }),
  { maxLength: 5 },
);

function follower(visitor: Facts): Follower {
  const { country, region, city, device: deviceType, os, platform, now } = visitor;
  return {
    place: () => ({ country, region, city }),
    agent: { deviceType, os, platform },
    language: () => visitor.language,
    parameter: (name) => (name === 'ref' ? visitor.query : null),
    now,
    position: () => 0,
  };
}

/** Whether the visitor has a value, said as plainly as possible. */
function has(visitor: Facts, name: Property, value: string, timeZone: string | null): boolean {
  const local = DateTime.fromMillis(visitor.now, { zone: timeZone ?? 'utc' });
  const same = (text: string | null) => text?.toLowerCase() === value.toLowerCase();
  switch (name) {
    case 'os':
      return same(visitor.os) || same(visitor.platform) || (value === 'macOS' && visitor.os === 'Mac OS');
    case 'language':
      return same(visitor.language) || (visitor.language ?? '').startsWith(`${value.toLowerCase()}-`);
    case 'weekday':
      return local.setLocale('en').weekdayShort?.toUpperCase() === value;
    case 'time': {
      const [from = '', to = ''] = value.split('-');
      const clock = local.toFormat('HH:mm');
      return from < to ? from <= clock && clock < to : from <= clock || clock < to;
    }
    case 'city':
      return same(visitor.city);
    default:
      return visitor[name] === value;
  }
}

it('Rules send every visitor where a plain reading of them does', () => {
  assert(
    property(rules, facts, (drawn, visitor) => {
      const some = (name: Property, values: string[], timeZone: string | null = null) =>
        values.some((value) => has(visitor, name, value, timeZone));
      const lists = (name: Property, values: string[]) => values.length === 0 || some(name, values);
      const expected = drawn.findIndex(
        ({ countries, devices, os, conditions }) =>
          lists('country', countries) &&
          lists('device', devices) &&
          lists('os', os) &&
          conditions.every(
            (each) => some(each.property, each.values, each.timeZone) !== (each.operator === 'IS_NOT'),
          ),
      );
      const url = (index: number) => `https://${index}.example.com/`;
      const routing = routingOf({
        originalUrl: 'https://example.com/',
        utmSource: null,
        utmMedium: null,
        utmTerm: null,
        utmContent: null,
        utmCampaign: null,
        targeting: drawn.map((rule, index) => ({ ...rule, url: url(index) })),
        variants: null,
      });
      if (!routing) throw new Error('There is no routing');
      const location = targetedDestination(routing, follower(visitor))?.location ?? null;
      expect(location).toBe(expected === -1 ? null : url(expected));
      expect(unmetBefore(routing, follower(visitor))).toHaveLength(expected === -1 ? drawn.length : expected);
    }),
    { seed: 76, numRuns: 3000 },
  );
});
