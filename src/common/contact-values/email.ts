import { asciiHost } from '../host-name';
import { identifierProblem } from '../validation/visible-text';
import { pasted, pastedRecipient } from './pasted';
import { normalized, type Normalized, refused } from './normalized';

/** RFC 5321: at most 254 characters for an address, 64 for its local part. */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Atoms separated by single dots, including non-ASCII (RFC 6531); quoted local parts are rejected. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;

/** At least two labels, of which the last is not a number (that would be an IP address). */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;

/** An e-mail address in lower case, its domain in ASCII: `Kim@Münze.example` becomes `kim@xn--mnze-0ra.example`. */
export function normalizeEmail(text: unknown): Normalized {
  const trimmed = typeof text === 'string' ? pastedRecipient(text) : '';
  if (trimmed === '') return refused('VALUE_REQUIRED');
  const at = trimmed.lastIndexOf('@');
  if (at < 1 || trimmed.length > MAX_LENGTH) return refused('EMAIL_FORMAT');
  const local = trimmed.slice(0, at).normalize('NFC').toLowerCase();
  const domain = normalizeEmailDomain(trimmed.slice(at + 1));
  if (
    domain === null ||
    local.length > MAX_LOCAL_LENGTH ||
    !LOCAL_PART.test(local) ||
    identifierProblem(local) !== null
  ) {
    return refused('EMAIL_FORMAT');
  }
  const address = `${local}@${domain}`;
  return address.length > MAX_LENGTH ? refused('EMAIL_FORMAT') : normalized(address);
}

/** The domain of an address in lower case and ASCII; null if it is invalid. */
export function normalizeEmailDomain(text: string): string | null {
  const seen = pasted(text);
  // The URL parser would treat these characters as a path, a port or an escape.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(seen)) return null;
  const domain = asciiHost(seen);
  return domain !== null && DOMAIN.test(domain) ? domain : null;
}
