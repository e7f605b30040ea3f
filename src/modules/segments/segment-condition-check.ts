import { normalizeEmail, normalizeEmailDomain } from '../../common/contact-values/email';
import { normalizePhone } from '../../common/contact-values/phone';
import type { CallerOrganization } from '../../access/caller';
import type { FieldError } from '../../common/errors/domain-error';
import { ValidationFailed } from '../../common/errors/errors';
import {
  type ContactProperty,
  contactProperty,
  PROPERTY_FIELDS,
  type PropertyKind,
} from '../contacts/list/contact-properties';
import {
  booleanOf,
  type ConditionGroup,
  type ConditionValue,
  daysOf,
  isAge,
  isOrder,
  isPresence,
  localTimeOf,
  numberOf,
  type Operator,
  OPERATORS_OF,
  type ScalarValue,
  type SegmentCondition,
} from './segment-condition';
import type { ConditionGroupFields } from './segments.dto';

/** @throws ValidationFailed */
export function checkedGroups(
  groups: readonly ConditionGroupFields[],
  { defaultRegion }: CallerOrganization,
): ConditionGroup[] {
  const problems: FieldError[] = [];
  const checked = groups.map(({ conditions }, i) => ({
    conditions: conditions.map(({ propKey, propOp, propValue, compareKey }, j) => {
      const condition = { propKey, propOp, propValue: propValue ?? null, compareKey: compareKey ?? null };
      const problem = conditionProblem(condition, defaultRegion);
      if (problem) {
        problems.push({ ...problem, field: `conditionGroups[${i}].conditions[${j}].${problem.field}` });
      }
      return condition;
    }),
  }));
  if (problems.length > 0) throw new ValidationFailed(problems);
  return checked;
}

/** The problem with a condition, worded to follow the field's name; null if it is valid. */
function conditionProblem(condition: SegmentCondition, region: string): FieldError | null {
  const { propKey, propOp, propValue, compareKey } = condition;
  const property = contactProperty(propKey);
  if (!property) return { field: 'propKey', message: KEY_PROBLEM };
  if (!isAllowed(property, propOp)) {
    return { field: 'propOp', message: `must be one of ${operatorsOf(property).join(', ')} for ${propKey}` };
  }
  if (compareKey !== null) return comparisonProblem(condition, property, compareKey);
  if (isPresence(propOp)) return propValue === null ? null : value(`must be omitted with ${propOp}`);
  if (propValue === null) {
    return value(isOrder(propOp) ? 'is required unless compareKey is given' : 'is required');
  }
  return valueProblem(property, propOp, propValue, region);
}

const KEY_PROBLEM =
  `must be one of ${PROPERTY_FIELDS.join(', ')}, or custom.<key>, ` +
  'or activity.<metric>.first, .last, .count or .sum';

function value(message: string): FieldError {
  return { field: 'propValue', message };
}

/** Operators of a property. Push identifiers cannot be searched; e-mail addresses can also be searched by domain. */
export function operatorsOf(property: ContactProperty): readonly Operator[] {
  const operators = OPERATORS_OF[property.kind];
  if (!('field' in property)) return operators;
  if (property.field === 'pushIdentify') return operators.filter(isPresence);
  return property.field === 'email' ? [...operators, 'CONTAINS'] : operators;
}

function isAllowed(property: ContactProperty, operator: Operator): boolean {
  return operatorsOf(property).includes(operator);
}

/** Kinds that can be compared with each other, text and booleans only for equality. */
export const COMPARABLE: Partial<Record<PropertyKind, readonly PropertyKind[]>> = {
  number: ['number', 'custom'],
  date: ['date', 'custom'],
  text: ['text', 'custom'],
  boolean: ['boolean'],
  custom: ['custom', 'number', 'date', 'text'],
};

function comparisonProblem(
  { propKey, propOp, propValue }: SegmentCondition,
  property: ContactProperty,
  compareKey: string,
): FieldError | null {
  if (!isOrder(propOp)) return { field: 'compareKey', message: `must be omitted with ${propOp}` };
  if (propValue !== null) return value('must be omitted with a compareKey');
  const other = contactProperty(compareKey);
  if (!other) return { field: 'compareKey', message: KEY_PROBLEM };
  if (!COMPARABLE[property.kind]?.includes(other.kind)) {
    return { field: 'compareKey', message: `cannot be compared with ${propKey}` };
  }
  // A custom field compared with text counts as text.
  if (!isAllowed(other, propOp)) {
    return { field: 'propOp', message: `must be one of ${operatorsOf(other).join(', ')} for ${compareKey}` };
  }
  return null;
}

const DATE = 'a date such as 2026-11-20, or 2026-11-20T08:32:00';

function valueProblem(
  property: ContactProperty,
  operator: Operator,
  given: ConditionValue,
  region: string,
): FieldError | null {
  const isList = Array.isArray(given);
  if (isList !== (operator === 'IN')) {
    return value(isList ? `must be a single value with ${operator}` : 'must be an array with IN');
  }
  const values = (isList ? given : [given]) as readonly ScalarValue[];
  const problem = values
    .map((each) => scalarProblem(property, operator, each, region))
    .find((each) => each !== null);
  return problem === undefined
    ? null
    : value(isList ? `must contain only values each of which ${problem}` : problem);
}

function scalarProblem(
  property: ContactProperty,
  operator: Operator,
  given: ScalarValue,
  region: string,
): string | null {
  if (isAge(operator)) return daysOf(given) === null ? 'must be a number of days from 1 to 36500' : null;
  if (operator === 'CONTAINS' && property.kind === 'sealed') {
    return domainOf(given) === null ? 'must be "@" and a whole domain, such as @example.com' : null;
  }
  switch (property.kind) {
    case 'boolean':
      return booleanOf(given) === null ? 'must be true or false' : null;
    case 'number':
      return numberOf(given) === null ? 'must be a number with at most 20 digits on each side' : null;
    case 'date':
      return localTimeOf(given) === null ? `must be ${DATE}` : null;
    case 'custom':
      if (!isOrder(operator) || operator === 'EQ' || operator === 'NE') return textProblem(given);
      return (numberOf(given) ?? localTimeOf(given)) ? null : `must be a number, or ${DATE}`;
    case 'sealed':
      return sealedProblem(property, given, region);
    case 'list':
      if ('field' in property && property.field === 'groupIds') {
        return Number.isSafeInteger(Number(given)) && Number(given) > 0 ? null : 'must be the id of a group';
      }
      return textProblem(given);
    case 'text':
      return textProblem(given);
  }
}

function textProblem(given: ScalarValue): string | null {
  return given === '' ? 'must not be empty' : null;
}

function sealedProblem(property: ContactProperty, given: ScalarValue, region: string): string | null {
  if ('field' in property && property.field === 'phoneNumber') {
    return normalizePhone(String(given), region).value === null ? 'must be a phone number' : null;
  }
  return normalizeEmail(String(given)).value === null ? 'must be an e-mail address' : null;
}

/** The domain in `@example.com`; null for other text. */
export function domainOf(given: ScalarValue): string | null {
  return typeof given === 'string' && given.startsWith('@') ? normalizeEmailDomain(given.slice(1)) : null;
}
