import { ValidationFailed } from '../../../common/errors/errors';
import { REGIONS } from '../../../access/organizations/regions';
import { canonicalLanguage } from '../../pages/language';
import { type Condition, type Property, WEEKDAYS } from './conditions';
import { timeRangeOf } from './local-time';
import type { TargetingRule, Variant } from './routing';
import {
  COUNTRY,
  DEVICES,
  type TargetingConditionFields,
  type TargetingRuleFields,
  type VariantFields,
} from './routing.dto';

export interface RoutingFields {
  targeting?: TargetingRuleFields[] | null;
  variants?: VariantFields[] | null;
}

/** @param hasCities whether regions and cities of visitors are known @throws ValidationFailed naming the field */
export function checkRouting({ targeting, variants }: RoutingFields, hasCities: boolean): void {
  for (const [i, rule] of (targeting ?? []).entries()) {
    const { countries, devices, os, conditions } = rule;
    if (!countries?.length && !devices?.length && !os?.length && !conditions?.length) {
      throw ValidationFailed.field(`targeting[${i}]`, 'must name countries, devices, os or conditions');
    }
    for (const [j, condition] of (conditions ?? []).entries()) {
      const problem = problemOf(condition, hasCities);
      if (problem) throw ValidationFailed.field(`targeting[${i}].conditions[${j}].${problem[0]}`, problem[1]);
    }
  }
  if (variants?.length === 1) throw ValidationFailed.field('variants', 'must have 2 to 10 items, or none');
}

function problemOf(
  { property, operator, values, parameter, timeZone }: TargetingConditionFields,
  hasCities: boolean,
): [field: string, problem: string] | null {
  if (!hasCities && (property === 'region' || property === 'city')) {
    return ['property', 'must not be region or city, because GEOIP_DATABASE is not a database of cities'];
  }
  if (operator === 'IS' && values.length > 1) return ['values', 'must be a single value with IS'];
  const bad = values.findIndex((value) => !VALUES[property].test(value.trim()));
  if (bad >= 0) return ['values', `item ${bad} ${VALUES[property].problem}`];
  const isQuery = property === 'query';
  if (isQuery !== Boolean(parameter)) {
    return ['parameter', isQuery ? 'is required with query' : 'must be empty except with query'];
  }
  const isTime = property === 'weekday' || property === 'time';
  if (isTime !== Boolean(timeZone)) {
    return [
      'timeZone',
      isTime ? `is required with ${property}` : 'must be empty except with weekday and time',
    ];
  }
  return null;
}

interface Values {
  test(value: string): boolean;
  /** Worded to follow the field's name. */
  problem: string;
}

const words = (known: ReadonlySet<string>, problem?: string): Values => ({
  test: (value) => known.has(value),
  problem: problem ?? `must be one of ${[...known].join(', ')}`,
});
const short = (max: number): Values => ({
  test: (value) => Array.from(value).length <= max,
  problem: `must be at most ${max} characters long`,
});

const VALUES: Readonly<Record<Property, Values>> = {
  country: words(REGIONS, COUNTRY),
  region: {
    test: (value) => /^[A-Z]{2}-[A-Z\d]{1,3}$/.test(value) && REGIONS.has(value.slice(0, 2)),
    problem: 'must be an ISO 3166-2 code such as KR-11',
  },
  city: short(100),
  device: words(DEVICES),
  os: short(50),
  language: {
    test: (value) => /^[a-z]{2,3}(?:-|$)/i.test(value) && canonicalLanguage(value) !== null,
    problem: 'must be a language tag such as ko or pt-BR',
  },
  query: short(200),
  weekday: words(new Set(WEEKDAYS)),
  time: {
    test: (value) => timeRangeOf(value) !== null,
    problem: 'must be a range of times such as 09:00-18:00',
  },
};

/** The supplied ones as they are stored; null and an empty list clear them. */
export function suppliedRouting({ targeting, variants }: RoutingFields): {
  targeting?: TargetingRule[] | null;
  variants?: Variant[] | null;
} {
  return {
    ...(targeting !== undefined && { targeting: emptyIsNull(targeting?.map(ruleOf)) }),
    ...(variants !== undefined && {
      variants: emptyIsNull(variants?.map(({ url, weight }) => ({ url, weight }))),
    }),
  };
}

function ruleOf({ countries, devices, os, conditions, url }: TargetingRuleFields): TargetingRule {
  return {
    countries: countries ?? [],
    devices: devices ?? [],
    os: (os ?? []).map((name) => name.trim()),
    conditions: (conditions ?? []).map(conditionOf),
    url,
  };
}

function conditionOf(condition: TargetingConditionFields): Condition {
  const { property, operator, values, parameter, timeZone } = condition;
  // Parameters of visitors are compared as they are.
  const trimmed = property === 'query' ? values : values.map((value) => value.trim());
  return { property, operator, values: trimmed, parameter: parameter || null, timeZone: timeZone || null };
}

function emptyIsNull<T>(items: T[] | undefined): T[] | null {
  return items && items.length > 0 ? items : null;
}
