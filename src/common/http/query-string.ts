import { ValidationFailed } from '../errors/errors';

const MAX_PARAMETERS = 1_000;

/**
 * Parses a query string. A repeated parameter becomes an array, which validation rejects by name. Invalid
 * percent-encoding is rejected, where lenient parsers would insert replacement characters.
 * @throws ValidationFailed naming the parameter
 */
export function parseQueryString(text: string | undefined): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (!text) return query;
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw ValidationFailed.field('query', `must have at most ${MAX_PARAMETERS} parameters`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const rawName = split === -1 ? pair : pair.slice(0, split);
    const name = decode(rawName, rawName);
    const value = split === -1 ? '' : decode(pair.slice(split + 1), name);
    const known = query[name];
    query[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return query;
}

/** Without its percent-encoding; unchanged if that is invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decode(text: string, name: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw ValidationFailed.field(name, 'must be percent-encoded UTF-8');
  }
}
