import type { Schemas } from '../../../api/client';
import type { ApiForm } from '../../../kit/form';
import { ownUtm } from './destination-utm';
import { codeOf, type Link } from '../link';
import {
  changedFields,
  idOf,
  instantOf,
  localOf,
  sharedFieldsOf,
  type SharedValues,
  sharedValuesOf,
  textOf,
} from './shared-values';

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

/** Form values, named as in `CreateLinkRequest`, so that the API's errors are shown at their fields. */
export interface LinkValues extends SharedValues {
  url: string;
  customAlias: string;
  tags: string[];
  expirationDate: string;
  password: string;
  removePassword: boolean;
  maxClicks: number | string;
  targeting: RuleValues[];
  variants: VariantValues[];
}

export interface FieldsProps {
  of: ApiForm<LinkValues>;
  /** The link that is edited. */
  link?: Link;
}

export const NEW_LINK: LinkValues = {
  ...sharedValuesOf(null),
  url: '',
  customAlias: '',
  tags: [],
  expirationDate: '',
  password: '',
  removePassword: false,
  maxClicks: '',
  targeting: [],
  variants: [],
};

export function valuesOf(link: Link): LinkValues {
  return {
    ...NEW_LINK,
    ...sharedValuesOf(link),
    url: link.originalUrl,
    customAlias: codeOf(link),
    tags: [...link.tags],
    expirationDate: localOf(link.expiresAt),
    maxClicks: link.maxClicks ?? '',
    targeting: link.targeting.map(({ countries, devices, os, conditions, url }) => ({
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
    })),
    variants: link.variants.map(({ url, weight }) => ({ url, weight })),
  };
}

/** Values of a new link copied from another, except alias, external id and password. */
export function copyOf(link: Link, customDomainId: string): LinkValues {
  return { ...valuesOf(link), customAlias: '', externalId: '', customDomainId };
}

export function creationOf(values: LinkValues): Schemas['CreateLinkRequest'] {
  const { url, ...fields } = fieldsOf(values);
  return { ...fields, url, customDomainId: idOf(values.customDomainId), password: values.password || null };
}

export function changeOf(before: LinkValues, values: LinkValues): Schemas['UpdateLinkRequest'] {
  const { url, ...rest } = changedFields(fieldsOf(before), fieldsOf(values));
  return {
    ...rest,
    ...(url !== undefined && { originalUrl: url }),
    ...(values.password && { password: values.password }),
    ...(values.removePassword && { password: null }),
    ...(rest.customAlias !== undefined && values.releaseOld && { releaseOld: true }),
  };
}

function fieldsOf(values: LinkValues) {
  return {
    ...sharedFieldsOf(values),
    ...ownUtm(values, values.url),
    url: values.url.trim(),
    customAlias: textOf(values.customAlias),
    tags: values.tags,
    expirationDate: instantOf(values.expirationDate),
    maxClicks: values.maxClicks === '' ? null : Number(values.maxClicks),
    targeting: values.targeting.map(ruleOf),
    variants: values.variants.map(({ url, weight }) => ({ url: url.trim(), weight: Number(weight) })),
  };
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
    parameter: property === 'query' ? textOf(parameter) : null,
    timeZone: isTime ? timeZone : null,
  };
}
