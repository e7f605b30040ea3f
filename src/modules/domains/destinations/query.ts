/** One `name=value` of a query string: `raw` as written, `name` decoded for comparison. */
export interface QueryPart {
  raw: string;
  name: string;
}

/** Splits a query string without changing any part. */
export function queryParts(query: string): QueryPart[] {
  if (query === '') return [];
  return query
    .split('&')
    .filter((raw) => raw !== '')
    .map((raw) => ({ raw, name: decodePart(raw.split('=', 1)[0] ?? '') }));
}

/** The decoded value of the first parameter of that name, or null. */
export function queryValue(parts: readonly QueryPart[], name: string): string | null {
  const part = parts.find((candidate) => candidate.name === name);
  if (!part) return null;
  const equals = part.raw.indexOf('=');
  return equals === -1 ? '' : decodePart(part.raw.slice(equals + 1));
}

function decodePart(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** A URL, split at the positions where parameters are inserted. */
export interface SplitUrl {
  beforeQuery: string;
  /** Null without a `?`. */
  query: string | null;
  /** With its `#`, or empty. */
  fragment: string;
}

export function splitUrl(url: string): SplitUrl {
  const hash = url.indexOf('#');
  const fragment = hash === -1 ? '' : url.slice(hash);
  const rest = hash === -1 ? url : url.slice(0, hash);
  const mark = rest.indexOf('?');
  return mark === -1
    ? { beforeQuery: rest, query: null, fragment }
    : { beforeQuery: rest.slice(0, mark), query: rest.slice(mark + 1), fragment };
}

/** Appends parameters to a query, leaving existing ones unchanged. */
export function addToQuery(url: string, added: readonly string[]): string {
  if (added.length === 0) return url;
  const { beforeQuery, query, fragment } = splitUrl(url);
  const existing = query === null || query === '' ? [] : [query];
  return `${beforeQuery}?${[...existing, ...added].join('&')}${fragment}`;
}

/** Sets a parameter, replacing those with the same name and leaving everything else unchanged. @param value encoded */
export function withParameter(url: string, name: string, value: string): string {
  const { beforeQuery, query, fragment } = splitUrl(url);
  const others = queryParts(query ?? '').filter((part) => part.name !== name);
  return `${beforeQuery}?${[...others.map(({ raw }) => raw), `${name}=${value}`].join('&')}${fragment}`;
}
