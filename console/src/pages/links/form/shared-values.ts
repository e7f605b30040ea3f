import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { localMinute, toInstant } from '../../../kit/local-time';
import type { Link } from '../link';
import { ruleOf, type RuleValues, ruleValuesOf, type VariantValues } from './routing-values';

export const UTM_FIELDS = ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];
const TEXTS = [
  'title',
  ...UTM_FIELDS,
  'ogTitle',
  'ogDescription',
  'ogImageUrl',
  'notStartedUrl',
  'expiredUrl',
  'iosDeepLinkPath',
  'androidDeepLinkPath',
  'mobileTargetUrl',
  'goalType',
  'externalId',
] as const;
const APPS = ['iosAppId', 'androidAppId'] as const;
export const SWITCHES = ['enabled', 'archived', 'forwardQuery', 'showAdPage'] as const;

type SavedField =
  | (typeof TEXTS)[number]
  | (typeof APPS)[number]
  | (typeof SWITCHES)[number]
  | 'startsAt'
  | 'appendClickId'
  | 'tags'
  | 'maxClicks'
  | 'targeting'
  | 'variants';

/** Form values common to links and campaigns, named as in the API, so that its errors are shown at their fields. */
export interface SharedValues
  extends
    Record<(typeof TEXTS)[number] | (typeof APPS)[number], string>,
    Record<(typeof SWITCHES)[number], boolean> {
  customDomainId: string;
  releaseOld: boolean;
  startsAt: string;
  appendClickId: string;
  tags: string[];
  password: string;
  removePassword: boolean;
  maxClicks: number | string;
  targeting: RuleValues[];
  variants: VariantValues[];
}

/** A form of either kind, for common fields. */
export interface SharedForm {
  readonly errors: FormErrors;
  getValues(): SharedValues;
  getInputProps(
    field: string,
    options?: { type: 'checkbox' },
  ): ReturnType<UseFormReturnType<SharedValues>['getInputProps']>;
  setFieldValue(field: string, value: unknown): void;
  insertListItem(field: string, item: unknown): void;
  removeListItem(field: string, index: number): void;
  reorderListItem(field: string, move: { from: number; to: number }): void;
}

/** @param saved null for a new one */
export function sharedValuesOf(saved: Pick<Link, SavedField> | null): SharedValues {
  return {
    ...each(TEXTS, (key) => saved?.[key] ?? ''),
    ...each(APPS, (key) => String(saved?.[key] ?? '')),
    enabled: saved?.enabled ?? true,
    archived: saved?.archived ?? false,
    forwardQuery: saved?.forwardQuery ?? true,
    showAdPage: saved?.showAdPage ?? false,
    startsAt: localOf(saved?.startsAt),
    appendClickId: String(saved?.appendClickId ?? ''),
    customDomainId: '',
    releaseOld: false,
    tags: [...(saved?.tags ?? [])],
    password: '',
    removePassword: false,
    maxClicks: saved?.maxClicks ?? '',
    targeting: ruleValuesOf(saved?.targeting ?? []),
    variants: (saved?.variants ?? []).map(({ url, weight }) => ({ url, weight })),
  };
}

export function sharedFieldsOf(values: SharedValues) {
  return {
    ...each(TEXTS, (key) => textOf(values[key])),
    ...each(APPS, (key) => idOf(values[key])),
    ...each(SWITCHES, (key) => values[key]),
    startsAt: instantOf(values.startsAt),
    appendClickId: values.appendClickId === '' ? null : values.appendClickId === 'true',
    tags: values.tags,
    maxClicks: values.maxClicks === '' ? null : Number(values.maxClicks),
    targeting: values.targeting.map(ruleOf),
    variants: values.variants.map(({ url, weight }) => ({ url: url.trim(), weight: Number(weight) })),
  };
}

/** The password of a change; it is left unchanged without one. */
export function changedPassword({ password, removePassword }: SharedValues): { password?: string | null } {
  return { ...(password && { password }), ...(removePassword && { password: null }) };
}

/** The fields that differ; the API leaves all others unchanged. */
export function changedFields<Fields extends object>(was: Fields, is: Fields): Partial<Fields> {
  const before = new Map(Object.entries(was));
  return Object.fromEntries(
    Object.entries(is).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key))),
  ) as Partial<Fields>;
}

export function textOf(value: string): string | null {
  return value.trim() || null;
}

export function idOf(value: string): number | null {
  return value === '' ? null : Number(value);
}

export function localOf(instant: string | null | undefined): string {
  return instant ? localMinute(instant) : '';
}

export function instantOf(local: string): string | null {
  return local === '' ? null : toInstant(local);
}

function each<Key extends string, Value>(
  keys: readonly Key[],
  value: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
}
