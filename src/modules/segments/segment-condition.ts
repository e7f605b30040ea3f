import type { PropertyKind } from '../contacts/list/contact-properties';

/** Comparison operators (docs/concepts/segments.md#operators). */
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

/** A condition of a segment, as sent and as stored. */
export interface SegmentCondition {
  readonly propKey: string;
  readonly propOp: Operator;
  readonly propValue: ConditionValue | null;
  /** Another property to compare with, instead of a value. */
  readonly compareKey: string | null;
}

/** Conditions joined by AND; the groups of a segment are joined by OR. */
export interface ConditionGroup {
  readonly conditions: readonly SegmentCondition[];
}

export type OrderOperator = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE';
const ORDER: readonly Operator[] = ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'];
const PRESENCE: readonly Operator[] = ['EXISTS', 'NOT_EXISTS'];
const AGE: readonly Operator[] = ['WITHIN_LAST_DAYS', 'BEFORE_LAST_DAYS'];

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

/** The value as a decimal number in text form; null if it is not one. */
export function numberOf(value: ScalarValue): string | null {
  const text = typeof value === 'boolean' ? '' : String(value);
  return NUMBER.test(text) ? text : null;
}

/** A day, or a second, in the organization's local time. */
export interface LocalTime {
  readonly text: string;
  readonly precision: 'day' | 'second';
}

const LOCAL_TIME = /^[1-9]\d{3}-\d{2}-\d{2}(?<time>T([01]\d|2[0-3])(:[0-5]\d){2})?$/;

/** Parses an existing `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss`; null for anything else. */
export function localTimeOf(value: ScalarValue): LocalTime | null {
  if (typeof value !== 'string') return null;
  const match = LOCAL_TIME.exec(value);
  if (!match) return null;
  const day = value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return null;
  return { text: value, precision: match.groups?.time === undefined ? 'day' : 'second' };
}

/** Parses a boolean or its text; null for anything else. */
export function booleanOf(value: ScalarValue): boolean | null {
  return value === true || value === 'true' ? true : value === false || value === 'false' ? false : null;
}

const MAX_DAYS = 36_500;

/** Parses a positive number of days; null for anything else. */
export function daysOf(value: ScalarValue): number | null {
  const days = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS ? days : null;
}
