import type { ConditionGroup, ConditionValue, Operator, SegmentCondition } from './segment-condition';

const WORDS: Readonly<Partial<Record<Operator, string>>> = {
  EQ: '=',
  NE: '!=',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  CONTAINS: 'contains',
  STARTS_WITH: 'starts with',
  IN: 'is one of',
  EXISTS: 'exists',
  NOT_EXISTS: 'does not exist',
};

/**
 * A segment's conditions as readable text: conditions of a group joined by AND, groups by OR
 * (docs/concepts/segments.md#conditions).
 */
export function conditionText(groups: readonly ConditionGroup[]): string {
  const texts = groups.map(({ conditions }) => conditions.map(textOf).join(' AND '));
  return texts.length === 1 ? texts.join() : texts.map((text) => `(${text})`).join(' OR ');
}

function textOf({ propKey, propOp, propValue, compareKey }: SegmentCondition): string {
  if (propOp === 'WITHIN_LAST_DAYS') return `${propKey} within the last ${String(propValue)} days`;
  if (propOp === 'BEFORE_LAST_DAYS') return `${propKey} before the last ${String(propValue)} days`;
  const beside = compareKey ?? (propValue === null ? null : shown(propValue));
  return [propKey, WORDS[propOp], beside].filter((part) => part !== null).join(' ');
}

function shown(value: ConditionValue): string {
  return Array.isArray(value)
    ? `(${value.map((each) => JSON.stringify(each)).join(', ')})`
    : JSON.stringify(value);
}
