import { normalizeEmail } from '../../common/contact-values/email';
import { cut, sanitizeText } from '../../common/sanitize-text';

export interface Profile {
  /** Verified by the provider, and normalized by `normalizeEmail`; null if there is none. */
  readonly email: string | null;
  readonly name: string | null;
}

const MAX_NAME = 100;

/** @param claims of an ID token or of UserInfo */
export function toProfile(claims: Readonly<Record<string, unknown>>): Profile {
  // Some providers send the string "true"; OpenID Connect requires the boolean.
  const email = claims.email_verified === true ? normalizeEmail(claims.email).value : null;
  const name = typeof claims.name === 'string' ? cut(sanitizeText(claims.name).trim(), MAX_NAME).trim() : '';
  return { email, name: name === '' ? null : name };
}
