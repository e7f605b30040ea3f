import type { Contact } from './contact';

/** Columns that store a field unencrypted. */
const PLAIN = {
  organization_id: 'organizationId',
  id: 'id',
  external_user_id: 'externalUserId',
  origin: 'origin',
  name: 'name',
  push_token_idx: 'pushTokenIdx',
  locale: 'locale',
  push_opt_in: 'pushOptIn',
  sms_opt_in: 'smsOptIn',
  email_opt_in: 'emailOptIn',
  alimtalk_opt_in: 'alimtalkOptIn',
  whatsapp_opt_in: 'whatsappOptIn',
  push_ad_opt_in: 'pushAdOptIn',
  sms_ad_opt_in: 'smsAdOptIn',
  email_ad_opt_in: 'emailAdOptIn',
  alimtalk_ad_opt_in: 'alimtalkAdOptIn',
  night_ad_opt_in: 'nightAdOptIn',
  tags: 'tags',
  custom_fields: 'customFields',
  blocked: 'blocked',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  deactivated_at: 'deactivatedAt',
} as const satisfies Record<string, keyof Contact>;

type PlainRow = { [C in keyof typeof PLAIN]: Contact[(typeof PLAIN)[C]] };

/** Columns of encrypted fields: ciphertexts and blind indexes. */
export interface SealedRow {
  phone: string | null;
  email: string | null;
  push_identify: string | null;
  /** Blind indexes, as `\x…`. */
  phone_index: string | null;
  phone_last4_index: string | null;
  email_index: string | null;
  email_local_index: string | null;
  email_domain_index: string | null;
}

/** A row of `contacts` for writing. */
export interface ContactJson extends PlainRow, SealedRow {
  search_name: string | null;
}

/** A row as read, without the columns for search. */
export type StoredContact = PlainRow & Pick<SealedRow, 'phone' | 'email' | 'push_identify'>;

const PLAIN_COLUMNS = Object.keys(PLAIN) as (keyof typeof PLAIN)[];

export const READ_COLUMNS = [...PLAIN_COLUMNS, 'phone', 'email', 'push_identify'];

export const WRITTEN_COLUMNS = [
  ...READ_COLUMNS,
  'search_name',
  'phone_index',
  'phone_last4_index',
  'email_index',
  'email_local_index',
  'email_domain_index',
];

export function toPlainRow(contact: Contact): PlainRow {
  return Object.fromEntries(
    PLAIN_COLUMNS.map((column) => [column, contact[PLAIN[column]]]),
  ) as unknown as PlainRow;
}

export function fromPlainRow(row: PlainRow): Omit<Contact, 'phoneNumber' | 'email' | 'pushIdentify'> {
  return Object.fromEntries(
    PLAIN_COLUMNS.map((column) => [PLAIN[column], row[column]]),
  ) as unknown as Contact;
}

/** Normalizes a name for search, so that letter case and character composition make no difference. */
export function searchName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

const SEALED = { phoneNumber: 'phone', email: 'email', pushIdentify: 'push_identify' } as const;
const COLUMNS = new Map<string, string>([
  ...Object.entries(PLAIN).map(([column, field]) => [field, column] as const),
  ...Object.entries(SEALED),
]);

export function columnOf(field: string): string {
  const column = COLUMNS.get(field);
  if (column === undefined) throw new Error(`No column holds ${field}`);
  return column;
}
