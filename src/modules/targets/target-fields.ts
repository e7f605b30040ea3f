import { type Utm, UTM_FIELDS, utmOf } from '../../common/utm';
import type { TargetEntity } from '../../common/target.entity';
import { ogAutoOfNew } from './og-fields';
import type { TargetFields } from './target-fields.dto';

/** Fields of requests that are stored as they are; all but utm, which the destination may fill. */
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
] as const satisfies readonly (keyof TargetEntity & keyof TargetFields)[];

type PlainFields = Pick<TargetEntity, (typeof PLAIN_FIELDS)[number]>;

/** The plain fields of a new link or campaign; what was not given is null, and the page's to fill where it can. */
export function plainFieldsOf(request: TargetFields): PlainFields & Pick<TargetEntity, 'ogAuto'> {
  const fields = Object.fromEntries(
    PLAIN_FIELDS.map((field) => [field, request[field] || null]),
  ) as PlainFields;
  return { ...fields, ogAuto: ogAutoOfNew(request) };
}

/** utm of a new one: as given, else as the destination's query has it (4-decisions §5). */
export function utmOfNew(request: TargetFields, destination: string): Utm {
  const own = utmOf(destination);
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, request[field] || own[field]]),
  ) as unknown as Utm;
}

/** What an update changes of the fields that it supplies; null and an empty text clear. */
export function suppliedFields(
  request: TargetFields & { originalUrl?: string | null },
): Partial<TargetEntity> {
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
export function utmOfNewDestination(
  target: TargetEntity,
  supplied: Partial<TargetEntity>,
): Partial<TargetEntity> {
  if (!supplied.originalUrl) return {};
  const before = utmOf(target.originalUrl);
  const now = utmOf(supplied.originalUrl);
  const changed = UTM_FIELDS.filter(
    (field) => supplied[field] === undefined && (now[field] !== null || target[field] === before[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, now[field]]));
}
