import { applyDecorators } from '@nestjs/common';
import { APP_SCHEME, FOREIGN_SCHEMES } from './deep-link-url';
import { type AtomOptions, atom, fromText } from '../../common/validation/atom';
import { HttpsUrl, OneOf, Text } from '../../common/validation/atoms';
import { PLATFORMS } from './app.entity';
import { originIn } from './origin';

const MAX_FINGERPRINTS = 20;
const MAX_ORIGINS = 50;
const MAX_ORIGIN = 300;
const FINGERPRINT = /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/;

/** iOS, Android or Web, in any letter case. */
export function PlatformName(options: AtomOptions): PropertyDecorator {
  const canonical = (text: string) =>
    PLATFORMS.find((platform) => platform.toLowerCase() === text.toLowerCase()) ?? text;
  return applyDecorators(fromText(canonical), OneOf(PLATFORMS, options));
}

export function AppName(options: AtomOptions): PropertyDecorator {
  return Text({ ...options, min: 1, max: 100, pattern: /\S/, patternText: 'must not be blank' });
}

/** A custom scheme, as `<scheme>://` (RFC 3986 §3.1); an empty string clears it. */
export function AppScheme(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value === '') return null;
    const [, scheme] = APP_SCHEME.exec(value) ?? [];
    if (scheme === undefined) return 'must have the form <scheme>://, at most 98 characters long';
    return FOREIGN_SCHEMES.has(scheme.toLowerCase())
      ? 'must be a custom scheme, not one of the web or the system'
      : null;
  };
  return atom('appScheme', check, { type: String, maxLength: 98 }, options);
}

/** An Apple team ID: ten letters and digits, converted to upper case. */
export function TeamId(options: AtomOptions): PropertyDecorator {
  return applyDecorators(
    fromText((text) => text.toUpperCase()),
    Text({
      ...options,
      min: 0,
      max: 10,
      pattern: /^(?:[A-Z0-9]{10})?$/,
      patternText: 'must be the 10 letters and digits of the team ID',
    }),
  );
}

export function ImageOrStoreUrl(options: AtomOptions): PropertyDecorator {
  return HttpsUrl({ ...options, max: 1000 });
}

/** A check that a value is a list of at most `max` entries. @param problem message for an entry that is not valid */
function listCheck(max: number, isEntry: (text: string) => boolean, problem: string) {
  return (value: unknown): string | null => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length > max) return `must have at most ${max} entries`;
    return value.every((entry) => typeof entry === 'string' && isEntry(entry)) ? null : problem;
  };
}

/** SHA-256 fingerprints in keytool's format, converted to upper case, without duplicates. */
export function Fingerprints(options: AtomOptions): PropertyDecorator {
  const isFingerprint = (text: string) => FINGERPRINT.test(text.toUpperCase());
  const problem = 'must contain SHA-256 fingerprints of the form AA:BB:…, 32 bytes each';
  const check = listCheck(MAX_FINGERPRINTS, isFingerprint, problem);
  const items = { type: 'string', pattern: '^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$' };
  return atom('fingerprints', check, { type: 'array', items, maxItems: MAX_FINGERPRINTS }, options);
}

/** Origins of pages, such as `https://shop.example.com`. */
export function Origins(options: AtomOptions): PropertyDecorator {
  const isOrigin = (text: string) => text.length <= MAX_ORIGIN && originIn(text) !== null;
  const problem =
    'must contain origins such as https://shop.example.com: scheme, host and port, without a path';
  const check = listCheck(MAX_ORIGINS, isOrigin, problem);
  const items = { type: 'string', maxLength: MAX_ORIGIN };
  return atom('origins', check, { type: 'array', items, maxItems: MAX_ORIGINS }, options);
}
