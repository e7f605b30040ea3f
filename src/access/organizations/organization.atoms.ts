import { atom, type AtomOptions, textProblem } from '../../common/validation/atom';
import { REGIONS } from './regions';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
/** Names that JavaScript's tables still have and Postgres' tables have not. */
const LEGACY_ZONES = /^(SystemV\/|US\/Pacific-New$)/i;

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || LEGACY_ZONES.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The name of an IANA time zone. */
export function TimeZoneName(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (isTimeZone(value as string) ? null : 'must be an IANA time zone such as Asia/Seoul');
  return atom('timeZone', check, { type: String }, options);
}

/** An ISO 4217 currency code. */
export function CurrencyCode(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (CURRENCIES.has(value as string) ? null : 'must be an ISO 4217 currency code such as KRW');
  return atom('currency', check, { type: String, pattern: '^[A-Z]{3}$' }, options);
}

/** An ISO 3166-1 alpha-2 country code. */
export function RegionCode(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (REGIONS.has(value as string) ? null : 'must be an ISO 3166-1 alpha-2 code such as KR');
  return atom('region', check, { type: String, pattern: '^[A-Z]{2}$' }, options);
}
