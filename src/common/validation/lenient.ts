import { applyDecorators } from '@nestjs/common';
import { fromText, textProblem } from './atom';
import { CutText, Text, type TextOptions } from './atoms';

/**
 * Text that is dropped instead of rejected if it makes no sense, so that the rest of the call is not lost.
 */
function lenient(makesSense: (text: string) => boolean, options: TextOptions): PropertyDecorator {
  const isText = (text: string) => text.length <= options.max && textProblem(text) === null;
  return applyDecorators(
    fromText((text) => (isText(text) && !makesSense(text) ? null : text)),
    Text({ ...options, optional: true }),
  );
}

/** An IANA time zone. Clients may know newer ones than the service. */
export function ClientTimeZone({ description }: { description: string }): PropertyDecorator {
  const text = `${description}: an IANA name; unknown names are ignored`;
  return lenient(isTimeZone, { max: 100, description: text, example: 'Asia/Seoul' });
}

/** A screen size. */
export function ScreenSize(options: { max: number; description: string }): PropertyDecorator {
  const description = `${options.description}, \`<width>x<height>\`; anything else is ignored`;
  return lenient(isScreenSize, { ...options, description, example: '1179x2556' });
}

/** A page address. Android identifies apps with `android-app://` addresses. */
export function PageAddress(options: {
  max: number;
  description: string;
  example: string;
}): PropertyDecorator {
  const description = `${options.description}: an http, https or android-app address; anything else is ignored`;
  return applyDecorators(
    fromText((text) => (textProblem(text) === null && !isPageAddress(text) ? null : text)),
    CutText({ ...options, description, optional: true }),
  );
}

const zones = new Map<string, boolean>();
const MAX_ZONES = 1_000;

function isTimeZone(name: string): boolean {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const is = /^[A-Za-z]/.test(name) && canFormat(name);
  if (zones.size < MAX_ZONES && name.length <= 100) zones.set(name, is);
  return is;
}

function canFormat(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** `1179x2556`, and its common variants. */
export const SCREEN_SIZE = /^\s*\d{1,5}\s*[xX×*]\s*\d{1,5}\s*$/;

function isScreenSize(text: string): boolean {
  return SCREEN_SIZE.test(text);
}

function isPageAddress(text: string): boolean {
  return /^(?:https?|android-app):\/\//i.test(text) && URL.parse(text) !== null;
}
