import { applyDecorators } from '@nestjs/common';
import { fromText, textProblem } from './atom';
import { timeZoneName } from '../time/time-zone';
import { CutText, Text, type TextOptions } from './atoms';

/**
 * Text that is dropped instead of rejected if it is invalid, so that the rest of the call is not lost.
 * @param read returns the text to store, or null if it is invalid
 */
function lenient(read: (text: string) => string | null, options: TextOptions): PropertyDecorator {
  const isText = (text: string) => text.length <= options.max && textProblem(text) === null;
  return applyDecorators(
    fromText((text) => (isText(text) ? read(text) : text)),
    Text({ ...options, optional: true }),
  );
}

/** An IANA time zone, also one that only the client knows yet. */
export function ClientTimeZone({ description }: { description: string }): PropertyDecorator {
  const text = `${description}: an IANA name; unknown names are ignored`;
  return lenient(timeZoneName, { max: 100, description: text, example: 'Asia/Seoul' });
}

export function ScreenSize(options: { max: number; description: string }): PropertyDecorator {
  const description = `${options.description}, \`<width>x<height>\`; anything else is ignored`;
  return lenient((text) => (SCREEN_SIZE.test(text) ? text : null), {
    ...options,
    description,
    example: '1179x2556',
  });
}

/** A page's URL, or an Android app as `android-app://`. */
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

/** `1179x2556`, and its common variants. */
export const SCREEN_SIZE = /^\s*\d{1,5}\s*[xX×*]\s*\d{1,5}\s*$/;

function isPageAddress(text: string): boolean {
  return /^(?:https?|android-app):\/\//i.test(text) && URL.parse(text) !== null;
}
