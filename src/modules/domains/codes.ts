import { isReservedWord } from './reserved-words';

/** A generated code, an alias or the namespace of an app. */
const WORD = /^[A-Za-z0-9_-]{1,50}$/;
export const MAX_WORD = 50;
export const MAX_LEGACY_CODE = 255;

export function isWord(text: string): boolean {
  return WORD.test(text);
}

/** Whether a link or campaign may have such a code, so that it is worth a look-up. */
export function isCode(text: string): boolean {
  return WORD.test(text) || (legacyCodeProblem(text) === null && !isReservedWord(text));
}

/**
 * Why a text cannot be the code of an imported link, which may have any characters that the segment of a path can hold
 * (docs/importing.md#codes-of-other-products). @returns null if it can
 */
export function legacyCodeProblem(text: string): string | null {
  if (text.includes('/')) return 'must not contain "/", because a code is one segment of the path';
  if (text === '' || text === '.' || text === '..') return 'must be a segment of a path';
  if (text.length > MAX_LEGACY_CODE) return `must be at most ${MAX_LEGACY_CODE} characters long`;
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters';
  return text.isWellFormed() ? null : 'must be valid Unicode text';
}

/** A code as the segment of a path, percent-encoded where necessary. */
export function codeSegment(code: string): string {
  return WORD.test(code) ? code : encodeURI(code).replaceAll('?', '%3F').replaceAll('#', '%23');
}
