import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { pastedRecipient } from './pasted';
import { normalized, type Normalized, refused } from './normalized';

/** Longer than any written form of a number. */
const MAX_LENGTH = 100;

/**
 * A phone number in E.164, from any notation: `010-2345-6789` of KR becomes `+821023456789`. Only numbers
 * that exist in their country's numbering plan are accepted; an extension is dropped.
 * @param region ISO 3166-1 country of national numbers; some countries have no numbering plan
 */
export function normalizePhone(text: unknown, region: string): Normalized {
  const seen = typeof text === 'string' ? pastedRecipient(text) : '';
  if (seen === '') return refused('VALUE_REQUIRED');
  if (seen.length > MAX_LENGTH) return refused('PHONE_FORMAT');
  // Programs that read a column as decimals write `1023456789.0`.
  const plain = seen.replace(/^(\d+)\.0$/, '$1').replace(/^\((\+\d+)\)/, '$1');
  const defaultCountry = isSupportedCountry(region) ? region : undefined;
  const phone = parsePhoneNumberFromString(plain, { defaultCountry, extract: false });
  return phone?.isValid() ? normalized(phone.number) : refused('PHONE_FORMAT');
}
