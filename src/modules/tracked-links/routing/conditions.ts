import type { Place } from '../../clicks/visitor-facts';
import { canonicalLanguage } from '../../pages/language';
import { type DayTime, localTimeOf, timeRangeOf } from './local-time';

/** What targeting asks about visitors, by the names of statistics where they have them. */
export const PROPERTIES = [
  'country',
  'region',
  'city',
  'device',
  'os',
  'language',
  'query',
  'weekday',
  'time',
] as const;
export type Property = (typeof PROPERTIES)[number];

export const OPERATORS = ['IS', 'IS_NOT', 'ONE_OF'] as const;
export type Operator = (typeof OPERATORS)[number];

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;

/** A condition of a targeting rule. IS has one value; IS_NOT is met by visitors who have none of its values. */
export interface Condition {
  property: Property;
  operator: Operator;
  values: string[];
  /** Name of the parameter, for `query`. */
  parameter: string | null;
  /** For `weekday` and `time`. */
  timeZone: string | null;
}

/** What routing depends on. Methods are expensive, and called only if needed. */
export interface Follower {
  place(): Place;
  /** Device type and system as named in statistics, and the platform whose apps the device runs. */
  agent: { deviceType: string; os: string; platform: 'iOS' | 'Android' | null };
  /** The most preferred language, a tag in lower case; null when unknown. */
  language(): string | null;
  parameter(name: string): string | null;
  /** Milliseconds since the epoch. */
  now: number;
  /** The visitor's stable position among all visitors of this link, in [0, 1). */
  position(): number;
}

export interface PreparedCondition {
  property: Property;
  isMetBy: (visitor: Follower) => boolean;
  /** What the visitor has, for traces. */
  valueOf: (visitor: Follower) => string | null;
}

export function prepared(condition: Condition): PreparedCondition {
  const { property, operator } = condition;
  const { has, valueOf } = MATCHERS[property](condition);
  const isMetBy = operator === 'IS_NOT' ? (visitor: Follower) => !has(visitor) : has;
  return { property, isMetBy, valueOf };
}

interface Matcher {
  /** Whether the visitor has one of the values. */
  has: (visitor: Follower) => boolean;
  valueOf: (visitor: Follower) => string | null;
}

/** Common names that differ from those in statistics. */
const OS_ALIASES: Partial<Record<string, string>> = { macos: 'mac os' };

function osKey(name: string): string {
  const key = name.toLowerCase();
  return OS_ALIASES[key] ?? key;
}

/** HarmonyOS may also match as Android. */
function systemsOf({ agent: { os, platform } }: Follower): string[] {
  return platform === null ? [os] : [os, platform];
}

function matcher(valueOf: Matcher['valueOf'], values: ReadonlySet<string>): Matcher {
  const has = (visitor: Follower) => {
    const value = valueOf(visitor);
    return value !== null && values.has(value);
  };
  return { has, valueOf };
}

const MATCHERS: Record<Property, (condition: Condition) => Matcher> = {
  country: ({ values }) => matcher((visitor) => visitor.place().country, new Set(values)),
  region: ({ values }) => matcher((visitor) => visitor.place().region, new Set(values)),
  city: ({ values }) => {
    const names = new Set(values.map((name) => name.toLowerCase()));
    const valueOf = (visitor: Follower) => visitor.place().city;
    return { has: (visitor) => names.has(valueOf(visitor)?.toLowerCase() ?? ''), valueOf };
  },
  device: ({ values }) => matcher(({ agent }) => agent.deviceType, new Set(values)),
  os: ({ values }) => {
    const names = new Set(values.map((name) => osKey(name)));
    return {
      has: (visitor) => systemsOf(visitor).some((name) => names.has(osKey(name))),
      valueOf: ({ agent }) => agent.os,
    };
  },
  language: ({ values }) => {
    const tags = values.map((tag) => canonicalLanguage(tag) ?? tag);
    const valueOf = (visitor: Follower) => visitor.language();
    const has = (visitor: Follower) => {
      const language = valueOf(visitor);
      return language !== null && tags.some((tag) => language === tag || language.startsWith(`${tag}-`));
    };
    return { has, valueOf };
  },
  query: ({ values, parameter }) => matcher((visitor) => visitor.parameter(parameter ?? ''), new Set(values)),
  weekday: ({ values, timeZone }) =>
    matcher(({ now }) => WEEKDAYS[localTimeOf(now, timeZone).weekday] ?? null, new Set(values)),
  time: ({ values, timeZone }) => {
    const ranges = values.flatMap((text) => timeRangeOf(text) ?? []);
    const has = ({ now }: Follower) => {
      const { minute } = localTimeOf(now, timeZone);
      return ranges.some(({ from, to }) =>
        from < to ? minute >= from && minute < to : minute >= from || minute < to,
      );
    };
    return { has, valueOf: ({ now }) => clockText(localTimeOf(now, timeZone)) };
  },
};

function clockText({ minute }: DayTime): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
