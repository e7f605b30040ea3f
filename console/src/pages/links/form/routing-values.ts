import type { Schemas } from '../../../api/client';
import type { Link } from '../link';

type Device = NonNullable<Schemas['TargetingRuleFields']['devices']>[number];
type Country = NonNullable<Schemas['TargetingRuleFields']['countries']>[number];

export interface RuleValues {
  countries: Country[];
  devices: Device[];
  os: string[];
  conditions: ConditionValues[];
  url: string;
}

/** IS stands for ONE_OF as well. */
export interface ConditionValues {
  property: Schemas['TargetingConditionFields']['property'];
  operator: 'IS' | 'IS_NOT';
  values: string[];
  parameter: string;
  timeZone: string;
}

export interface VariantValues {
  url: string;
  weight: number | string;
}

/** Rules as the form has them. */
export function ruleValuesOf(targeting: Link['targeting']): RuleValues[] {
  return targeting.map(({ countries, devices, os, conditions, url }) => ({
    countries: countries as Country[],
    devices: devices as Device[],
    os,
    conditions: conditions.map(({ operator, parameter, timeZone, ...condition }) => ({
      ...condition,
      operator: operator === 'IS_NOT' ? operator : 'IS',
      parameter: parameter ?? '',
      timeZone: timeZone ?? '',
    })),
    url,
  }));
}

/** A rule as the API has it. */
export function ruleOf({ conditions, url, ...lists }: RuleValues) {
  return { ...lists, conditions: conditions.map(conditionOf), url: url.trim() };
}

function conditionOf({ property, operator, values, parameter, timeZone }: ConditionValues) {
  const isTime = property === 'weekday' || property === 'time';
  return {
    property,
    operator: operator === 'IS' && values.length > 1 ? ('ONE_OF' as const) : operator,
    values,
    parameter: property === 'query' ? parameter.trim() || null : null,
    timeZone: isTime ? timeZone : null,
  };
}
