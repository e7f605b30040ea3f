import { DIRECT, UNKNOWN } from '../../clicks/visitor-facts';

/** Dimensions by which the clicks of an organization are broken down (docs/concepts/statistics.md#clicks-by-dimension). */
export const BREAKDOWNS = [
  'link',
  'campaign',
  'tag',
  'domain',
  'app',
  'channel',
  'variant',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'bot',
] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

/** What is counted: clicks of people, unique people, or clicks of bots. */
export const METRICS = ['clicks', 'visitors', 'bots'] as const;
export type Metric = (typeof METRICS)[number];

export const NONE = '(none)';
export const OTHER = '(other)';

/** Stands for the default short domain, whose name is a setting. */
export const DEFAULT_DOMAIN_VALUE = '';

/** Dimensions whose value is stored with the click as text with a prefix, such as `utm_source:mail`. */
export const STORED = {
  channel: { prefix: 'tracker', missing: NONE },
  variant: { prefix: 'variant', missing: NONE },
  country: { prefix: 'country', missing: UNKNOWN },
  region: { prefix: 'region', missing: UNKNOWN },
  city: { prefix: 'city', missing: UNKNOWN },
  device: { prefix: 'device', missing: UNKNOWN },
  os: { prefix: 'os', missing: UNKNOWN },
  browser: { prefix: 'browser', missing: UNKNOWN },
  referrer: { prefix: 'referrer', missing: DIRECT },
  utmSource: { prefix: 'utm_source', missing: NONE },
  utmMedium: { prefix: 'utm_medium', missing: NONE },
  utmCampaign: { prefix: 'utm_campaign', missing: NONE },
  utmTerm: { prefix: 'utm_term', missing: NONE },
  utmContent: { prefix: 'utm_content', missing: NONE },
  bot: { prefix: 'bot', missing: NONE },
} as const satisfies Partial<Record<Breakdown, { prefix: string; missing: string }>>;
export type StoredBreakdown = keyof typeof STORED;

export function isStored(breakdown: Breakdown): breakdown is StoredBreakdown {
  return breakdown in STORED;
}

/** Dimensions that are summed by clicked link or campaign. */
const TARGETS = ['link', 'campaign', 'tag'] as const satisfies readonly Breakdown[];
export type TargetBreakdown = (typeof TARGETS)[number];

export function isTarget(breakdown: Breakdown): breakdown is TargetBreakdown {
  return (TARGETS as readonly Breakdown[]).includes(breakdown);
}

/** Values that a click must have, and values that it must not have; an empty list has no effect. */
export interface ValueFilter {
  breakdown: Breakdown;
  included: readonly string[];
  excluded: readonly string[];
}
