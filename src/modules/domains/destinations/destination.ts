import { headerBytes, headerUrl } from '../../../common/header-url';
import { type Utm as UtmFields, utmOf as utmFieldsOf } from './utm';
import { OWN_PARAMETERS, SCAN_PARAMETER } from './own-parameters';
import { addToQuery, type QueryPart, queryParts, queryValue, splitUrl } from './query';

type Utm = readonly [string | null, string | null, string | null, string | null, string | null];

const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_term', 'utm_content', 'utm_campaign'] as const;

/** The fields of a link or campaign that determine its destination. */
export interface Leading extends UtmFields {
  originalUrl: string;
}

/** A destination before request parameters are added. */
export interface Destination {
  /** URL in the form for a Location header. */
  readonly location: string;
  /** The utm values in its query. */
  readonly utm: Utm | null;
  /** URL of the link's variant, if the destination is one. */
  readonly variant?: string;
}

/** The link's own destination; the link's utm values replace those in its query. */
export function ownDestinationOf(link: Leading): Destination {
  return destinationOf({ ...link, originalUrl: withUtm(link) });
}

/** An alternative destination, completed with the link's utm values that it lacks. */
export function destinationOf(link: Leading): Destination {
  const own = new Set(queryParts(splitUrl(link.originalUrl).query ?? '').map((part) => part.name));
  const utmOfLink = [link.utmSource, link.utmMedium, link.utmTerm, link.utmContent, link.utmCampaign];
  const added = UTM_NAMES.flatMap((name, i) => {
    const value = utmOfLink[i];
    return value && !own.has(name) ? [`${name}=${encodeURIComponent(value)}`] : [];
  });
  const location = headerUrl(addToQuery(link.originalUrl, added));
  return { location, utm: utmOf(queryParts(splitUrl(location).query ?? '')) };
}

/** The destination of a request, completed with the request's parameters that it lacks, except Waypost's own. */
export function withRequestQuery(destination: Destination, query: string): Destination {
  if (query === '') return destination;
  const names = new Set(queryParts(splitUrl(destination.location).query ?? '').map((part) => part.name));
  const added = queryParts(headerBytes(query)).filter(
    (part) => !OWN_PARAMETERS.has(part.name) && !names.has(part.name) && part.raw !== SCAN_PARAMETER,
  );
  if (added.length === 0) return destination;
  const raw = added.map((part) => part.raw);
  return {
    location: addToQuery(destination.location, raw),
    utm: mergeUtm(destination.utm, utmOf(added)),
    variant: destination.variant,
  };
}

/** Replaces utm parameters that differ from the link's fields, and leaves everything else unchanged. */
function withUtm(link: Leading): string {
  const { originalUrl, utmSource, utmMedium, utmTerm, utmContent, utmCampaign } = link;
  const { beforeQuery, query, fragment } = splitUrl(originalUrl);
  if (!query) return originalUrl;
  const read = utmFieldsOf(originalUrl);
  const values = [
    utmSource !== read.utmSource && utmSource,
    utmMedium !== read.utmMedium && utmMedium,
    utmTerm !== read.utmTerm && utmTerm,
    utmContent !== read.utmContent && utmContent,
    utmCampaign !== read.utmCampaign && utmCampaign,
  ];
  const own = new Map(UTM_NAMES.flatMap((name, i) => (values[i] ? [[name as string, values[i]]] : [])));
  if (own.size === 0) return originalUrl;
  const written = new Set<string>();
  const parts = query.split('&').flatMap((raw) => {
    const name = queryParts(raw)[0]?.name ?? '';
    const value = own.get(name);
    if (value === undefined) return [raw];
    if (written.has(name)) return [];
    written.add(name);
    return [`${name}=${encodeURIComponent(value)}`];
  });
  return `${beforeQuery}?${parts.join('&')}${fragment}`;
}

function utmOf(parts: readonly QueryPart[]): Utm | null {
  const [source = null, medium = null, term = null, content = null, campaign = null] = UTM_NAMES.map(
    (name) => queryValue(parts, name) || null,
  );
  return (source ?? medium ?? term ?? content ?? campaign) ? [source, medium, term, content, campaign] : null;
}

function mergeUtm(first: Utm | null, second: Utm | null): Utm | null {
  if (!first || !second) return first ?? second;
  const [source, medium, term, content, campaign] = second;
  return [
    first[0] ?? source,
    first[1] ?? medium,
    first[2] ?? term,
    first[3] ?? content,
    first[4] ?? campaign,
  ];
}
