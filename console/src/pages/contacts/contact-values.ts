import type { Schemas } from '../../api/client';
import { AD_CONSENTS, type Contact, MESSAGE_CONSENTS } from './contact';

type Consent = (typeof MESSAGE_CONSENTS)[number] | (typeof AD_CONSENTS)[number];

interface Attribute {
  key: string;
  value: string;
}

export type ContactValues = Record<Consent, boolean> & {
  name: string;
  phoneNumber: string;
  email: string;
  externalUserId: string;
  locale: string;
  pushIdentify: string;
  pushTokenIdx: string;
  tags: string[];
  groupId: string | null;
  customFields: Attribute[];
};

const TEXTS = ['name', 'phoneNumber', 'email', 'locale', 'pushIdentify'] as const;
const CONSENTS = [...MESSAGE_CONSENTS, ...AD_CONSENTS];

export function valuesOf(contact: Contact | null): ContactValues {
  return {
    ...(Object.fromEntries(CONSENTS.map((name) => [name, contact?.[name] ?? false])) as Record<
      Consent,
      boolean
    >),
    name: contact?.name ?? '',
    phoneNumber: contact?.phoneNumber ?? '',
    email: contact?.email ?? '',
    externalUserId: contact?.externalUserId ?? '',
    locale: contact?.locale ?? '',
    pushIdentify: contact?.pushIdentify ?? '',
    pushTokenIdx: contact?.pushTokenIdx?.toString() ?? '',
    tags: contact?.tags ?? [],
    groupId: null,
    customFields: Object.entries(contact?.customFields ?? {}).map(([key, value]) => ({ key, value })),
  };
}

/** Whether the contact has nothing by which to identify it. */
export function isEmpty(request: Schemas['ContactRequest']): boolean {
  const besides = new Set<string>([...CONSENTS, 'groupId', 'locale']);
  return Object.keys(request).every((name) => besides.has(name));
}

/** Only the changed fields, so that concurrent changes to others are kept. */
export function requestOf(values: ContactValues, contact: Contact | null): Schemas['ContactRequest'] {
  const before = valuesOf(contact);
  const body: Schemas['ContactRequest'] = {};
  for (const name of TEXTS) if (values[name] !== before[name]) body[name] = values[name].trim();
  for (const name of CONSENTS) if (values[name] !== before[name]) body[name] = values[name];
  if (values.externalUserId !== before.externalUserId) body.externalUserId = values.externalUserId;
  if (values.pushTokenIdx !== before.pushTokenIdx) {
    body.pushTokenIdx = values.pushTokenIdx === '' ? null : Number(values.pushTokenIdx);
  }
  if (values.tags.join('\n') !== before.tags.join('\n')) body.tags = values.tags;
  if (values.groupId !== null) body.groupId = Number(values.groupId);
  const customFields = changedAttributes(values.customFields, contact?.customFields ?? {});
  if (Object.keys(customFields).length > 0) body.customFields = customFields;
  return body;
}

function changedAttributes(
  attributes: readonly Attribute[],
  before: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const now = new Map(
    attributes.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key, value]),
  );
  const changed: [string, string | null][] = [...now].filter(([key, value]) => before[key] !== value);
  for (const key of Object.keys(before)) if (!now.has(key)) changed.push([key, null]);
  return Object.fromEntries(changed);
}
