import { addToQuery, type QueryPart, queryParts, queryValue, splitUrl } from './query';

type Utm = readonly [string | null, string | null, string | null, string | null];

const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_term', 'utm_content'] as const;

/** What of a link or campaign says where it leads. */
export interface Leading {
  originalUrl: string;
  utmSource: string | null;
  utmMedium: string | null;
  utmTerm: string | null;
  utmContent: string | null;
}

/** Where a link leads before the request adds anything. */
export interface Destination {
  /** As a Location header takes it. */
  readonly location: string;
  /** The utm values that stand in it. */
  readonly utm: Utm | null;
}

/** The destination with the link's own utm values that it lacks (4-decisions §6). */
export function destinationOf(link: Leading): Destination {
  const own = new Set(queryParts(splitUrl(link.originalUrl).query ?? '').map((part) => part.name));
  const utmOfLink = [link.utmSource, link.utmMedium, link.utmTerm, link.utmContent];
  const added = UTM_NAMES.flatMap((name, i) => {
    const value = utmOfLink[i];
    return value && !own.has(name) ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  const location = asciiUrl(addToQuery(link.originalUrl, added));
  return { location, utm: utmOf(queryParts(splitUrl(location).query ?? '')) };
}

/** Where one request goes: the destination with the request's parameters that it lacks, `cid` excepted. */
export function withRequestQuery(destination: Destination, query: string): Destination {
  if (query === '') return destination;
  const names = new Set(queryParts(splitUrl(destination.location).query ?? '').map((part) => part.name));
  const added = queryParts(query).filter((part) => part.name !== 'cid' && !names.has(part.name));
  if (added.length === 0) return destination;
  const raw = added.map((part) => asciiUrl(part.raw));
  return { location: addToQuery(destination.location, raw), utm: mergeUtm(destination.utm, utmOf(added)) };
}

function utmOf(parts: readonly QueryPart[]): Utm | null {
  const [source, medium, term, content] = UTM_NAMES.map((name) => queryValue(parts, name) || null);
  return source || medium || term || content
    ? [source ?? null, medium ?? null, term ?? null, content ?? null]
    : null;
}

function mergeUtm(first: Utm | null, second: Utm | null): Utm | null {
  if (!first || !second) return first ?? second;
  return [first[0] ?? second[0], first[1] ?? second[1], first[2] ?? second[2], first[3] ?? second[3]];
}

/** A header takes ASCII only; what a URL holds beyond it is percent-encoded, everything else stays as it is. */
function asciiUrl(url: string): string {
  return url.replace(/[^\u0021-\u007e]+/gu, (text) => encodeURIComponent(text.toWellFormed()));
}
