import { textProblem } from '../../common/validation/atom';
import { queryParts, queryValue } from '../domains/destinations/query';

/** A value from a visitor's address; null when it is empty, too long, or not valid text. */
export function trackingParameter(text: string, maxLength: number): string | null {
  if (text === '' || textProblem(text) !== null) return null;
  // Code points never outnumber UTF-16 units, so short texts need no splitting.
  return text.length <= maxLength || Array.from(text).length <= maxLength ? text : null;
}

const MAX_CUSTOM_ID = 100;

/**
 * The customId of a campaign's visitor: the first `cid` of the query, or null. A value that is empty, too long or not
 * valid text identifies nobody, and a truncated one might identify somebody else.
 */
export function customIdOf(query: string): string | null {
  if (!query.includes('cid')) return null;
  const value = queryValue(queryParts(query), 'cid');
  return value === null ? null : trackingParameter(value, MAX_CUSTOM_ID);
}
