import type { PropertyKind } from '../contacts/list/contact-properties';

/** How a property is compared (docs/concepts/segments.md#operators). */
export const OPERATORS = [
  'EQ',
  'NE',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'CONTAINS',
  'STARTS_WITH',
  'IN',
  'EXISTS',
  'NOT_EXISTS',
  'WITHIN_LAST_DAYS',
  'BEFORE_LAST_DAYS',
] as const;
export type Operator = (typeof OPERATORS)[number];

export type ScalarValue = string | number | boolean;
export type ConditionValue = ScalarValue | readonly ScalarValue[];

/** One condition of a segment, as it was given and as it is kept. */
export interface SegmentCondition {
  readonly propKey: string;
  readonly propOp: Operator;
  readonly propValue: ConditionValue | null;
  /** Another property, in the place of a value. */
  readonly compareKey: string | null;
}

/** All conditions of a group must be met, and one group of them. */
export interface ConditionGroup {
  readonly conditions: readonly SegmentCondition[];
}

export type OrderOperator = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE';
const ORDER: readonly Operator[] = ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'];
const PRESENCE: readonly Operator[] = ['EXISTS', 'NOT_EXISTS'];
const AGE: readonly Operator[] = ['WITHIN_LAST_DAYS', 'BEFORE_LAST_DAYS'];

/** What a property of each kind may be asked. */
export const OPERATORS_OF: Readonly<Record<PropertyKind, readonly Operator[]>> = {
  text: ['EQ', 'NE', 'CONTAINS', 'STARTS_WITH', 'IN', ...PRESENCE],
  number: [...ORDER, 'IN', ...PRESENCE],
  boolean: ['EQ', 'NE'],
  date: [...ORDER, ...PRESENCE, ...AGE],
  list: ['EQ', 'NE', 'CONTAINS', 'IN', ...PRESENCE],
  sealed: ['EQ', 'NE', 'IN', ...PRESENCE],
  custom: [...ORDER, 'CONTAINS', 'STARTS_WITH', 'IN', ...PRESENCE, ...AGE],
};

export function isOrder(operator: Operator): operator is OrderOperator {
  return ORDER.includes(operator);
}

export function isPresence(operator: Operator): boolean {
  return PRESENCE.includes(operator);
}

export function isAge(operator: Operator): boolean {
  return AGE.includes(operator);
}

const NUMBER = /^-?\d{1,20}(\.\d{1,20})?$/;

/** The decimal number that a value is, as text; null when it is none. */
export function numberOf(value: ScalarValue): string | null {
  const text = typeof value === 'boolean' ? '' : String(value);
  return NUMBER.test(text) ? text : null;
}

/** A day, or a second of the organization's clocks. */
export interface LocalTime {
  readonly text: string;
  readonly precision: 'day' | 'second';
}

const LOCAL_TIME = /^[1-9]\d{3}-\d{2}-\d{2}(?<time>T([01]\d|2[0-3])(:[0-5]\d){2})?$/;

/** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss` that exists; null for anything else. */
export function localTimeOf(value: ScalarValue): LocalTime | null {
  if (typeof value !== 'string') return null;
  const match = LOCAL_TIME.exec(value);
  if (!match) return null;
  const day = value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return null;
  return { text: value, precision: match.groups?.time === undefined ? 'day' : 'second' };
}

/** true or false, said or written; null for anything else. */
export function booleanOf(value: ScalarValue): boolean | null {
  return value === true || value === 'true' ? true : value === false || value === 'false' ? false : null;
}

const MAX_DAYS = 36_500;

/** A number of days from 1 on; null for anything else. */
export function daysOf(value: ScalarValue): number | null {
  const days = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? days : null;
}
