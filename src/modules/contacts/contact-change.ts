import { ValidationFailed } from '../../common/errors/errors';
import { normalizeEmail } from '../../common/contact-values/email';
import type { Normalized } from '../../common/contact-values/normalized';
import { normalizePhone } from '../../common/contact-values/phone';
import type { CustomFieldLimits } from '../../access/caller';
import { type Consent, type Consents, CONSENTS, type Contact } from './contact';
import { customFieldText } from './contacts.atoms';
import type { ContactRequest } from './contacts.dto';
import { cut } from '../../common/sanitize-text';

type Fields = Pick<
  Contact,
  'name' | 'phoneNumber' | 'email' | 'externalUserId' | 'pushIdentify' | 'pushTokenIdx' | 'locale' | 'tags'
>;

/** The changes of a request, in stored form; omitted fields stay unchanged. */
export interface ContactChange {
  readonly fields: Partial<Fields>;
  readonly consents: Partial<Consents>;
  /** A null value deletes the key. */
  readonly customFields: readonly (readonly [name: string, value: string | null])[];
  readonly groupId: number | null;
}

/**
 * Converts a validated request. Phone numbers are parsed with the organization's default region.
 * @param phoneField name of the phone number in the request
 * @throws ValidationFailed naming the phone number or email
 */
export function toContactChange(
  request: ContactRequest,
  region: string,
  phoneField = 'phoneNumber',
): ContactChange {
  const fields: Partial<Fields> = {};
  if (request.name !== undefined) fields.name = request.name?.trim() || null;
  if (request.pushIdentify !== undefined) fields.pushIdentify = request.pushIdentify || null;
  if (request.pushTokenIdx !== undefined) fields.pushTokenIdx = request.pushTokenIdx;
  if (request.locale !== undefined) fields.locale = request.locale?.trim() || null;
  if (request.tags !== undefined) fields.tags = distinctTags(request.tags ?? []);
  if (request.externalUserId != null) fields.externalUserId = request.externalUserId;
  if (request.phoneNumber !== undefined) {
    fields.phoneNumber = valueOf(request.phoneNumber, (text) => normalizePhone(text, region), {
      field: phoneField,
      message: 'must be an existing phone number',
    });
  }
  if (request.email !== undefined) fields.email = valueOf(request.email, normalizeEmail, EMAIL);
  const custom = Object.entries(request.customFields ?? {});
  return {
    fields,
    consents: suppliedConsents(request),
    customFields: custom.map(([name, value]) => [name, value === null ? null : customFieldText(value)]),
    groupId: request.groupId ?? null,
  };
}

const EMAIL = { field: 'email', message: 'must be an e-mail address' };

function valueOf(
  text: string | null,
  normalize: (text: string) => Normalized,
  { field, message }: { field: string; message: string },
): string | null {
  if (text === null || text.trim() === '') return null;
  const { value } = normalize(text);
  if (value === null) throw ValidationFailed.field(field, message);
  return value;
}

function distinctTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}

function suppliedConsents(request: Partial<Record<Consent, boolean | null>>): Partial<Consents> {
  const consents: Partial<Consents> = {};
  for (const consent of CONSENTS) {
    const given = request[consent];
    if (given !== undefined && given !== null) consents[consent] = given;
  }
  return consents;
}

/** Applies a change; returns a new object. */
export function changed(contact: Contact, change: ContactChange, limits: CustomFieldLimits): Contact {
  const customFields = withCustomFields(contact.customFields, change.customFields, limits);
  return { ...contact, ...change.fields, ...change.consents, customFields };
}

/** Merges by key; drops fields beyond the limits, and truncates values (docs/concepts/contacts.md#custom-fields). */
function withCustomFields(
  known: Readonly<Record<string, string>>,
  given: ContactChange['customFields'],
  { count, nameLength, valueLength }: CustomFieldLimits,
): Record<string, string> {
  const fields = new Map(Object.entries(known));
  for (const [name, value] of given) {
    if (value === null) fields.delete(name);
    else if (Array.from(name).length > nameLength) continue;
    else if (fields.has(name) || fields.size < count) fields.set(name, cut(value, valueLength));
  }
  return Object.fromEntries(fields);
}

export function differs(before: Contact, after: Contact): boolean {
  const fields = Object.keys(after) as (keyof Contact)[];
  return fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
