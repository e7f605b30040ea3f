import { textProblem } from '../../common/validation/atom';

/** A word that a visitor's address carries, as it is counted; null when it is empty, too long, or no proper text. */
export function wordOf(text: string, maxLength: number): string | null {
  if (text === '' || textProblem(text) !== null) return null;
  // Characters as users count them are at most as many as JavaScript's units.
  return text.length <= maxLength || Array.from(text).length <= maxLength ? text : null;
}
