import { toDateTime } from '../../common/time/format';

/** Where a contact came from. */
export const ORIGINS = ['API', 'SDK', 'CSV'] as const;
export type Origin = (typeof ORIGINS)[number];

/** What a person may agree to: messages of a channel, advertising on it, advertising at night. */
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

/** A person in the address book of an organization, in clear. */
export interface Contact extends Consents {
  organizationId: number;
  id: number;
  /** The customer's member id; one contact each, deactivated ones included. */
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
  /** By an administrator: once deactivated, it stays so. */
  blocked: boolean;
  createdAt: Date;
  updatedAt: Date;
  deactivatedAt: Date | null;
}

/** A contact that is not stored yet, and not filled in. */
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

/** Everything that the API shows of a contact, its groups apart. */
export function shownFields({ organizationId: _, deactivatedAt, ...contact }: Contact) {
  return {
    ...contact,
    status: deactivatedAt ? ('DEACTIVATED' as const) : ('ACTIVE' as const),
    createdAt: toDateTime(contact.createdAt),
    updatedAt: toDateTime(contact.updatedAt),
  };
}
