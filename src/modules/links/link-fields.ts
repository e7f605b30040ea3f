import { type Utm, UTM_FIELDS, utmOf } from '../../common/utm';
import type { Link } from './link.entity';
import type { CreateLinkRequest, UpdateLinkRequest } from './links.dto';

/** Fields of requests that go into the link as they are; all but utm, which the destination may fill. */
const PLAIN_FIELDS = [
  'title',
  'ogTitle',
  'ogDescription',
  'ogImageUrl',
  'iosAppId',
  'androidAppId',
  'iosDeepLinkPath',
  'androidDeepLinkPath',
  'mobileTargetUrl',
  'goalType',
] as const satisfies readonly (keyof Link & keyof CreateLinkRequest)[];

type PlainFields = Pick<Link, (typeof PLAIN_FIELDS)[number]>;

/** The plain fields of a new link; what was not given is null. */
export function plainFieldsOf(request: CreateLinkRequest): PlainFields {
  return Object.fromEntries(PLAIN_FIELDS.map((field) => [field, request[field] || null])) as PlainFields;
}

/** utm of a new link: as given, else as the destination's query has it (4-decisions §5). */
export function utmOfNew(request: CreateLinkRequest): Utm {
  const own = utmOf(request.url);
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, request[field] || own[field]]),
  ) as unknown as Utm;
}

/** What an update changes of the fields that it supplies; null and an empty text clear. */
export function suppliedFields(request: UpdateLinkRequest): Partial<Link> {
  const fields = [...PLAIN_FIELDS, ...UTM_FIELDS].filter((field) => request[field] !== undefined);
  return {
    ...Object.fromEntries(fields.map((field) => [field, request[field] || null])),
    ...(request.originalUrl && { originalUrl: request.originalUrl }),
    ...(typeof request.showAdPage === 'boolean' && { showAdPage: request.showAdPage }),
  };
}

/**
 * What a new destination changes of utm values that the update does not supply: values of the new query come in,
 * values that were read from the old query go with it, values that were given stay.
 */
export function utmOfNewDestination(link: Link, supplied: Partial<Link>): Partial<Link> {
  if (!supplied.originalUrl) return {};
  const before = utmOf(link.originalUrl);
  const now = utmOf(supplied.originalUrl);
  const changed = UTM_FIELDS.filter(
    (field) => supplied[field] === undefined && (now[field] !== null || link[field] === before[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, now[field]]));
}
