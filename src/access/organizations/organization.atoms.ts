import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { atom, type AtomOptions, fromText, textProblem } from '../../common/validation/atom';
import { isPublicAddress } from '../../common/outgoing/public-address';
import { pictureAddress } from '../../common/display-text';
import { isBlank } from '../../common/validation/visible-text';
import { timeZoneName } from '../../common/time/time-zone';
import { REGIONS } from './regions';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
/** An IANA time zone in any letter case, converted to its canonical name. */
export function TimeZoneName(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (timeZoneName(value as string) === null ? 'must be an IANA time zone such as Asia/Seoul' : null);
  return applyDecorators(
    fromText((text) => timeZoneName(text) ?? text),
    atom('timeZone', check, { type: String }, options),
  );
}

export function CurrencyCode(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (CURRENCIES.has(value as string) ? null : 'must be an ISO 4217 currency code such as KRW');
  return atom('currency', check, { type: String, pattern: '^[A-Z]{3}$' }, options);
}

export function RegionCode(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ??
    (REGIONS.has(value as string) ? null : 'must be an ISO 3166-1 alpha-2 code such as KR');
  return atom('region', check, { type: String, pattern: '^[A-Z]{2}$' }, options);
}

const MAX_NAME = 100;
const MAX_LOGO_URL = 1000;

/** A name with at least one visible character. */
export function BrandName(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem) return problem;
    if (Array.from(value as string).length > MAX_NAME) return `must be at most ${MAX_NAME} characters long`;
    return isBlank(value as string) ? 'must not be blank' : null;
  };
  return atom('brandName', check, { type: String, minLength: 1, maxLength: MAX_NAME }, options);
}

/** URL of an image: https, and a host without characters that could break out of a Content-Security-Policy. */
export function LogoUrl(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem) return problem;
    const text = value as string;
    if (Array.from(text).length > MAX_LOGO_URL) return `must be at most ${MAX_LOGO_URL} characters long`;
    if (/[\s\\]/.test(text) || pictureAddress(text) === null)
      return 'must be a valid URL that starts with https://';
    const { username, password, hostname } = new URL(text);
    if (username || password) return 'must not have a user name or password';
    const host = hostname.replace(/^\[|\]$/g, '');
    return isIP(host) === 0 || isPublicAddress(host)
      ? null
      : 'must not point to a private or reserved address';
  };
  const api = { type: String, format: 'uri', maxLength: MAX_LOGO_URL, pattern: '^https://' };
  return atom('logoUrl', check, api, options);
}

const COLOR = /^#[0-9A-Fa-f]{6}$/;

/** A colour as `#rrggbb`. */
export function BrandColor(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    textProblem(value) ?? (COLOR.test(value as string) ? null : 'must be a colour such as #1a56db');
  return atom('brandColor', check, { type: String, pattern: COLOR.source }, options);
}
