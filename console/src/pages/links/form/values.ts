import type { Schemas } from '../../../api/client';
import { localMinute, toInstant } from '../../../kit/local-time';
import { codeOf, type Link } from '../link';

export const UTM_FIELDS = ['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const;

type Device = NonNullable<Schemas['TargetingRuleFields']['devices']>[number];
type Country = NonNullable<Schemas['TargetingRuleFields']['countries']>[number];

export interface RuleValues {
  countries: Country[];
  devices: Device[];
  os: string[];
  url: string;
}

export interface VariantValues {
  url: string;
  weight: number | string;
}

/** What the form holds; its names are those of `CreateLinkRequest`, so that the API's errors find their fields. */
export interface LinkValues {
  url: string;
  customDomainId: string;
  customAlias: string;
  releaseOld: boolean;
  title: string;
  tags: string[];
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmTerm: string;
  utmContent: string;
  ogTitle: string;
  ogDescription: string;
  ogImageUrl: string;
  enabled: boolean;
  archived: boolean;
  startsAt: string;
  notStartedUrl: string;
  expirationDate: string;
  expiredUrl: string;
  password: string;
  removePassword: boolean;
  maxClicks: number | string;
  targeting: RuleValues[];
  variants: VariantValues[];
  forwardQuery: boolean;
  showAdPage: boolean;
  appendClickId: string;
  iosAppId: string;
  androidAppId: string;
  iosDeepLinkPath: string;
  androidDeepLinkPath: string;
  mobileTargetUrl: string;
  goalType: string;
  externalId: string;
}

export const NEW_LINK: LinkValues = {
  url: '',
  customDomainId: '',
  customAlias: '',
  releaseOld: false,
  title: '',
  tags: [],
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
  ogTitle: '',
  ogDescription: '',
  ogImageUrl: '',
  enabled: true,
  archived: false,
  startsAt: '',
  notStartedUrl: '',
  expirationDate: '',
  expiredUrl: '',
  password: '',
  removePassword: false,
  maxClicks: '',
  targeting: [],
  variants: [],
  forwardQuery: true,
  showAdPage: false,
  appendClickId: '',
  iosAppId: '',
  androidAppId: '',
  iosDeepLinkPath: '',
  androidDeepLinkPath: '',
  mobileTargetUrl: '',
  goalType: '',
  externalId: '',
};

type TextField = {
  [Key in keyof Link]: Link[Key] extends string | number | null ? Key : never;
}[keyof Link];

export function valuesOf(link: Link): LinkValues {
  const text = (key: TextField) => String(link[key] ?? '');
  return {
    ...NEW_LINK,
    url: link.originalUrl,
    customAlias: codeOf(link),
    title: text('title'),
    tags: [...link.tags],
    utmSource: text('utmSource'),
    utmMedium: text('utmMedium'),
    utmCampaign: text('utmCampaign'),
    utmTerm: text('utmTerm'),
    utmContent: text('utmContent'),
    ogTitle: text('ogTitle'),
    ogDescription: text('ogDescription'),
    ogImageUrl: text('ogImageUrl'),
    enabled: link.enabled,
    archived: link.archived,
    startsAt: link.startsAt === null ? '' : localMinute(link.startsAt),
    notStartedUrl: text('notStartedUrl'),
    expirationDate: link.expiresAt === null ? '' : localMinute(link.expiresAt),
    expiredUrl: text('expiredUrl'),
    maxClicks: link.maxClicks ?? '',
    targeting: link.targeting.map(({ countries, devices, os, url }) => ({
      countries: countries as Country[],
      devices: devices as Device[],
      os,
      url,
    })),
    variants: link.variants.map(({ url, weight }) => ({ url, weight })),
    forwardQuery: link.forwardQuery,
    showAdPage: link.showAdPage,
    appendClickId: link.appendClickId === null ? '' : String(link.appendClickId),
    iosAppId: text('iosAppId'),
    androidAppId: text('androidAppId'),
    iosDeepLinkPath: text('iosDeepLinkPath'),
    androidDeepLinkPath: text('androidDeepLinkPath'),
    mobileTargetUrl: text('mobileTargetUrl'),
    goalType: text('goalType'),
    externalId: text('externalId'),
  };
}

export function creationOf(values: LinkValues): Schemas['CreateLinkRequest'] {
  const { url, ...fields } = fieldsOf(values);
  return { ...fields, url, customDomainId: idOf(values.customDomainId), password: values.password || null };
}

/** The fields that differ; the API leaves all others as they are. */
export function changeOf(before: LinkValues, values: LinkValues): Schemas['UpdateLinkRequest'] {
  const [was, is] = [fieldsOf(before), fieldsOf(values)];
  const changed = Object.fromEntries(
    Object.entries(is).filter(([key, value]) => !isEqual(value, was[key as keyof typeof was])),
  );
  const { url, ...rest } = changed as Partial<typeof is>;
  return {
    ...rest,
    ...(url !== undefined && { originalUrl: url }),
    ...(values.password && { password: values.password }),
    ...(values.removePassword && { password: null }),
    ...(rest.customAlias !== undefined && values.releaseOld && { releaseOld: true }),
  };
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(values: LinkValues) {
  return {
    url: values.url.trim(),
    customAlias: textOf(values.customAlias),
    title: textOf(values.title),
    tags: values.tags,
    utmSource: textOf(values.utmSource),
    utmMedium: textOf(values.utmMedium),
    utmCampaign: textOf(values.utmCampaign),
    utmTerm: textOf(values.utmTerm),
    utmContent: textOf(values.utmContent),
    ogTitle: textOf(values.ogTitle),
    ogDescription: textOf(values.ogDescription),
    ogImageUrl: textOf(values.ogImageUrl),
    enabled: values.enabled,
    archived: values.archived,
    startsAt: instantOf(values.startsAt),
    notStartedUrl: textOf(values.notStartedUrl),
    expirationDate: instantOf(values.expirationDate),
    expiredUrl: textOf(values.expiredUrl),
    maxClicks: values.maxClicks === '' ? null : Number(values.maxClicks),
    targeting: values.targeting.map((rule) => ({ ...rule, url: rule.url.trim() })),
    variants: values.variants.map(({ url, weight }) => ({ url: url.trim(), weight: Number(weight) })),
    forwardQuery: values.forwardQuery,
    showAdPage: values.showAdPage,
    appendClickId: values.appendClickId === '' ? null : values.appendClickId === 'true',
    iosAppId: idOf(values.iosAppId),
    androidAppId: idOf(values.androidAppId),
    iosDeepLinkPath: textOf(values.iosDeepLinkPath),
    androidDeepLinkPath: textOf(values.androidDeepLinkPath),
    mobileTargetUrl: textOf(values.mobileTargetUrl),
    goalType: textOf(values.goalType),
    externalId: textOf(values.externalId),
  };
}

function textOf(value: string): string | null {
  return value.trim() || null;
}

function idOf(value: string): number | null {
  return value === '' ? null : Number(value);
}

function instantOf(local: string): string | null {
  return local === '' ? null : toInstant(local);
}
