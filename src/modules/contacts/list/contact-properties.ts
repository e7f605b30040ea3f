import { type Consent, CONSENTS } from '../contact';
import { OPT_OUT_CHANNELS, type OptOutChannel } from '../contact-opt-outs';

const OPTED_OUT = 'optedOut.';

const FIELDS = {
  id: 'number',
  externalUserId: 'text',
  origin: 'text',
  name: 'text',
  phoneNumber: 'sealed',
  email: 'sealed',
  pushIdentify: 'sealed',
  pushTokenIdx: 'number',
  locale: 'text',
  ...(Object.fromEntries(CONSENTS.map((consent) => [consent, 'boolean'])) as Record<Consent, 'boolean'>),
  ...(Object.fromEntries(OPT_OUT_CHANNELS.map((channel) => [`${OPTED_OUT}${channel}`, 'boolean'])) as Record<
    `optedOut.${OptOutChannel}`,
    'boolean'
  >),
  tags: 'list',
  groupIds: 'list',
  blocked: 'boolean',
  createdAt: 'date',
  updatedAt: 'date',
} as const satisfies Record<string, PropertyKind>;

export type PropertyField = keyof typeof FIELDS;

const ACTIVITY_PARTS = { first: 'date', last: 'date', count: 'number', sum: 'number' } as const;
export type ActivityPart = keyof typeof ACTIVITY_PARTS;

export function activityKeys(metric: string): string[] {
  return Object.keys(ACTIVITY_PARTS).map((part) => `activity.${metric}.${part}`);
}

/**
 * Type of a property, which determines the possible comparisons. `custom`: text that may be a number or a date.
 * `sealed`: encrypted, comparable for equality only.
 */
export const PROPERTY_KINDS = ['text', 'number', 'boolean', 'date', 'list', 'sealed', 'custom'] as const;
export type PropertyKind = (typeof PROPERTY_KINDS)[number];

/** A property for filtering contacts (docs/concepts/segments.md#properties). */
export type ContactProperty =
  | { kind: PropertyKind; field: PropertyField }
  | { kind: 'custom'; custom: string }
  | { kind: 'date' | 'number'; metric: string; part: ActivityPart };

export const PROPERTY_FIELDS = Object.keys(FIELDS);

export const CUSTOM = 'custom.';
const ACTIVITY = /^activity\.(?<metric>.+)\.(?<part>first|last|count|sum)$/su;

/** The channel of `optedOut.<channel>`; null for other fields. */
export function optOutChannelOf(field: PropertyField): OptOutChannel | null {
  return OPT_OUT_CHANNELS.find((channel) => field === `${OPTED_OUT}${channel}`) ?? null;
}

/**
 * @returns the property with that key: a contact field, `custom.<key>` or `activity.<metric>.first|last|count|sum`;
 * null if unknown
 */
export function contactProperty(key: string): ContactProperty | null {
  if (Object.hasOwn(FIELDS, key)) return { kind: FIELDS[key as PropertyField], field: key as PropertyField };
  if (key.startsWith(CUSTOM) && key.length > CUSTOM.length) {
    return { kind: 'custom', custom: key.slice(CUSTOM.length) };
  }
  const { metric, part } = ACTIVITY.exec(key)?.groups ?? {};
  if (metric === undefined) return null;
  return { kind: ACTIVITY_PARTS[part as ActivityPart], metric, part: part as ActivityPart };
}
