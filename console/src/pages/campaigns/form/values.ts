import type { Schemas } from '../../../api/client';
import { localMinute, toInstant } from '../../../kit/local-time';
import type { Campaign } from '../campaign';

const TEXTS = [
  'title',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
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
const TIMES = ['startsAt', 'expiresAt'] as const;
const APPS = ['iosAppId', 'androidAppId'] as const;

type TextField = (typeof TEXTS)[number] | (typeof TIMES)[number] | (typeof APPS)[number];

/** What the form holds; its names are those of `CreateCampaignRequest`, so that the API's errors find their fields. */
export interface CampaignValues
  extends Record<TextField, string>, Record<'enabled' | 'archived' | 'forwardQuery' | 'showAdPage', boolean> {
  name: string;
  originalUrl: string;
  alias: string;
  customDomainId: string;
  appendClickId: string;
  releaseOld: boolean;
}

export function valuesOf(campaign: Campaign | null): CampaignValues {
  const each = <Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value) =>
    Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>;
  return {
    name: campaign?.name ?? '',
    originalUrl: campaign?.originalUrl ?? '',
    alias: campaign?.alias ?? '',
    customDomainId: '',
    releaseOld: false,
    appendClickId: String(campaign?.appendClickId ?? ''),
    ...each(TEXTS, (key) => campaign?.[key] ?? ''),
    ...each(TIMES, (key) => (campaign?.[key] ? localMinute(campaign[key]) : '')),
    ...each(APPS, (key) => String(campaign?.[key] ?? '')),
    enabled: campaign?.enabled ?? true,
    archived: campaign?.archived ?? false,
    forwardQuery: campaign?.forwardQuery ?? true,
    showAdPage: campaign?.showAdPage ?? false,
  };
}

export function creationOf(values: CampaignValues): Schemas['CreateCampaignRequest'] {
  return { ...fieldsOf(values), customDomainId: idOf(values.customDomainId) };
}

/** The fields that differ; the API leaves all others as they are. */
export function changeOf(before: CampaignValues, values: CampaignValues): Schemas['UpdateCampaignRequest'] {
  const [was, is] = [fieldsOf(before), fieldsOf(values)];
  const changed: Schemas['UpdateCampaignRequest'] = Object.fromEntries(
    Object.entries(is).filter(([key, value]) => value !== was[key as keyof typeof was]),
  );
  return { ...changed, ...(changed.alias !== undefined && values.releaseOld && { releaseOld: true }) };
}

function fieldsOf(values: CampaignValues) {
  const text = (key: TextField) => values[key].trim() || null;
  return {
    name: values.name.trim(),
    originalUrl: values.originalUrl.trim(),
    alias: values.alias.trim() || null,
    title: text('title'),
    utmSource: text('utmSource'),
    utmMedium: text('utmMedium'),
    utmCampaign: text('utmCampaign'),
    utmTerm: text('utmTerm'),
    utmContent: text('utmContent'),
    ogTitle: text('ogTitle'),
    ogDescription: text('ogDescription'),
    ogImageUrl: text('ogImageUrl'),
    startsAt: timeOf(values.startsAt),
    notStartedUrl: text('notStartedUrl'),
    expiresAt: timeOf(values.expiresAt),
    expiredUrl: text('expiredUrl'),
    iosAppId: idOf(values.iosAppId),
    androidAppId: idOf(values.androidAppId),
    iosDeepLinkPath: text('iosDeepLinkPath'),
    androidDeepLinkPath: text('androidDeepLinkPath'),
    mobileTargetUrl: text('mobileTargetUrl'),
    goalType: text('goalType'),
    externalId: text('externalId'),
    enabled: values.enabled,
    archived: values.archived,
    forwardQuery: values.forwardQuery,
    showAdPage: values.showAdPage,
    appendClickId: values.appendClickId === '' ? null : values.appendClickId === 'true',
  };
}

function idOf(value: string): number | null {
  return value === '' ? null : Number(value);
}

function timeOf(local: string): string | null {
  return local === '' ? null : toInstant(local);
}
