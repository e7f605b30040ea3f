import { toDateTime } from '../../common/time/format';

export const ORIGINS = ['API', 'SDK', 'CSV'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Consents: messages of a channel, advertising on it, advertising at night. */
export const CONSENTS = [
  'pushOptIn',
  'smsOptIn',
  'emailOptIn',
  'alimtalkOptIn',
  'whatsappOptIn',
  'pushAdOptIn',
  'smsAdOptIn',
  'emailAdOptIn',
  'alimtalkAdOptIn',
  'nightAdOptIn',
] as const;
export type Consent = (typeof CONSENTS)[number];
export type Consents = Record<Consent, boolean>;

/** A person in an organization's address book, decrypted. */
export interface Contact extends Consents {
  organizationId: number;
  id: number;
  /** The customer's member id, unique among contacts including deactivated ones. */
  externalUserId: string | null;
  origin: Origin;
  name: string | null;
  /** E.164. */
  phoneNumber: string | null;
  /** Lower case. */
  email: string | null;
  pushIdentify: string | null;
  pushTokenIdx: number | null;
  locale: string | null;
  tags: string[];
  customFields: Record<string, string>;
  /** Whether an administrator prevents its reactivation. */
  blocked: boolean;
  createdAt: Date;
  updatedAt: Date;
  deactivatedAt: Date | null;
}

export function newContact(organizationId: number, id: number, origin: Origin, at: Date): Contact {
  const consents = Object.fromEntries(CONSENTS.map((consent) => [consent, false])) as Consents;
  return {
    organizationId,
    id,
    origin,
    externalUserId: null,
    name: null,
    phoneNumber: null,
    email: null,
    pushIdentify: null,
    pushTokenIdx: null,
    locale: null,
    ...consents,
    tags: [],
    customFields: {},
    blocked: false,
    createdAt: at,
    updatedAt: at,
    deactivatedAt: null,
  };
}

export function hasConsent(contact: Consents): boolean {
  return CONSENTS.some((consent) => contact[consent]);
}

/** The fields shown by the API, except groups. */
export function publicFields({ organizationId: _, deactivatedAt, ...contact }: Contact) {
  return {
    ...contact,
    status: deactivatedAt ? ('DEACTIVATED' as const) : ('ACTIVE' as const),
    createdAt: toDateTime(contact.createdAt),
    updatedAt: toDateTime(contact.updatedAt),
  };
}
