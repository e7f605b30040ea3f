import { queryParts, queryValue } from '../domains/destinations/query';
import { wordOf } from './tracking-parameter';

/** docs/concepts/counting.md#trackers-and-customers */
const MAX_CUSTOM_ID = 100;

/**
 * The campaign's customId that a request carries as `cid` (docs/concepts/counting.md#trackers-and-customers): the first
 * one. What is empty, longer than 100 characters or no proper text is nobody's id: that click counts without one, and
 * cut off it might be another's.
 */
export function customIdOf(query: string): string | null {
  if (!query.includes('cid')) return null;
  const value = queryValue(queryParts(query), 'cid');
  return value === null ? null : wordOf(value, MAX_CUSTOM_ID);
}
