import type { Schemas } from '../../api/client';

export type Contact = Schemas['ContactResponse'];

export const MESSAGE_CONSENTS = [
  'smsOptIn',
  'emailOptIn',
  'pushOptIn',
  'alimtalkOptIn',
  'whatsappOptIn',
] as const;
export const AD_CONSENTS = [
  'smsAdOptIn',
  'emailAdOptIn',
  'pushAdOptIn',
  'alimtalkAdOptIn',
  'nightAdOptIn',
] as const;

/** Display name of a contact. */
export function nameOf({ name, externalUserId, email, phoneNumber, id }: Contact): string {
  return name ?? externalUserId ?? email ?? phoneNumber ?? `#${id}`;
}
