import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { pasted } from './pasted';
import { normalized, type Normalized, refused } from './normalized';

/** Longer than any written form of a number. */
const MAX_LENGTH = 100;

/**
 * A phone number in E.164, from any notation: `010-2345-6789` of KR becomes `+821023456789`. Only numbers
 * that exist in their country's numbering plan are accepted; an extension is dropped.
 * @param region ISO 3166-1 country of national numbers; some countries have no numbering plan
 */
export function normalizePhone(text: unknown, region: string): Normalized {
  const seen = typeof text === 'string' ? pasted(text) : '';
  if (seen === '') return refused('VALUE_REQUIRED');
  if (seen.length > MAX_LENGTH) return refused('PHONE_FORMAT');
  const defaultCountry = isSupportedCountry(region) ? region : undefined;
  const phone = parsePhoneNumberFromString(plain(seen), { defaultCountry, extract: false });
  return phone?.isValid() ? normalized(phone.number) : refused('PHONE_FORMAT');
}

/** Converts what the library does not accept: the full-width plus sign and tel: links (RFC 3966). */
function plain(text: string): string {
  return text.replace(/^tel:/i, '').replace(/^\uff0b/, '+');
}
