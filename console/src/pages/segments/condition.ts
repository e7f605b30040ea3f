import type { Schemas } from '../../api/client';

export type Property = Schemas['SegmentPropertyResponse'];
export type PropertyType = Property['type'];
export type Operator = Schemas['SegmentConditionFields']['propOp'];
type Condition = Schemas['SegmentConditionFields'];
type Stored = Schemas['SegmentConditionResponse'];
type Groups = Schemas['ConditionGroupFields'][];

/** A condition that is being built, named as in the API, so that its errors are shown at their fields. */
export interface Draft {
  propKey: string;
  propOp: Operator;
  /** Several values for IN. */
  propValue: string[];
  /** Property to compare with; null to compare with a value. */
  compareKey: string | null;
}

export interface DraftGroup {
  conditions: Draft[];
}

export const EMPTY: Draft = { propKey: '', propOp: 'EQ', propValue: [], compareKey: null };

const PRESENCE: readonly Operator[] = ['EXISTS', 'NOT_EXISTS'];
type Age = Extract<Operator, `${string}_LAST_DAYS`>;
const COMPARING: readonly Operator[] = ['EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE'];

export const isPresence = (operator: Operator) => PRESENCE.includes(operator);
export const isAge = (operator: Operator): operator is Age => operator.endsWith('_LAST_DAYS');
export const isComparing = (operator: Operator) => COMPARING.includes(operator);

export function draftsOf(groups: readonly Schemas['ConditionGroupResponse'][]): DraftGroup[] {
  return groups.map(({ conditions }) => ({ conditions: conditions.map(draftOf) }));
}

function draftOf({ propKey, propOp, propValue, compareKey }: Stored): Draft {
  const values = propValue === null ? [] : Array.isArray(propValue) ? propValue : [propValue];
  return { propKey, propOp, propValue: values.map(String), compareKey };
}

export function conditionGroupsOf(
  groups: readonly DraftGroup[],
  typeOf: (key: string) => PropertyType,
): Groups {
  return groups.map(({ conditions }) => ({
    conditions: conditions.map((draft) => requestOf(draft, typeOf)),
  }));
}

function requestOf({ propKey, propOp, propValue, compareKey }: Draft, typeOf: (key: string) => PropertyType) {
  const condition: Condition = { propKey, propOp };
  if (isPresence(propOp)) return condition;
  if (compareKey !== null && isComparing(propOp)) return { ...condition, compareKey };
  const type = isAge(propOp) ? 'NUMBER' : typeOf(propKey);
  const values = propValue.map((value) => scalarOf(value, type));
  if (propOp === 'IN') return { ...condition, propValue: values };
  return { ...condition, propValue: values[0] ?? null };
}

/** Converts a value to its type; an invalid one is sent unchanged, for the API to report. */
function scalarOf(value: string, type: PropertyType): string | number | boolean {
  if (type === 'BOOLEAN') return value === 'true';
  const number = Number(value);
  return type === 'NUMBER' && value.trim() !== '' && String(number) === value.trim() ? number : value;
}

/** Whether the condition is complete, so that contacts can be counted. */
export function isComplete({ propKey, propOp, propValue, compareKey }: Draft): boolean {
  if (propKey === '') return false;
  if (isPresence(propOp)) return true;
  if (compareKey !== null && isComparing(propOp)) return compareKey !== '';
  return propValue.some((value) => value.trim() !== '');
}
