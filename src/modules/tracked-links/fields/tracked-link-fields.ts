import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { type Utm, UTM_FIELDS, utmOf } from '../../domains/destinations/utm';
import { DEFAULT_DOMAIN, type TrackedLinkEntity } from '../tracked-link.entity';
import { ogAutoOfNew } from '../open-graph/og-fetches';
import type { NewTrackedLink } from '../tracked-links.repository';
import type { TrackedLinkFields } from './tracked-link-fields.dto';

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
] as const satisfies readonly (keyof TrackedLinkEntity & keyof TrackedLinkFields)[];

type PlainFields = Pick<TrackedLinkEntity, (typeof PLAIN_FIELDS)[number]>;

/** What a request for a new link or campaign says under names of its own, checked. */
interface Given {
  domainId: number;
  alias: string | null | undefined;
  originalUrl: string;
  expiresAt: Date | null;
  now: Date;
}

/** All that a new link and a new campaign have alike. Without an alias the code is generated when it is stored. */
export function newTrackedLink(
  caller: Caller,
  request: TrackedLinkFields,
  given: Given,
): NewTrackedLink<TrackedLinkEntity> {
  const { domainId, alias, originalUrl, expiresAt, now } = given;
  return {
    organizationId: caller.organizationId,
    domainId,
    code: alias ?? '',
    isAlias: Boolean(alias),
    originalUrl,
    ...plainFieldsOf(request),
    ...utmOfNew(request, originalUrl),
    showAdPage: request.showAdPage ?? false,
    appendClickId: request.appendClickId ?? null,
    deduplicationWindowMinutes: null,
    expiresAt,
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** The plain fields of a new link or campaign; what was not given is null, and the page's to fill where it can. */
function plainFieldsOf(request: TrackedLinkFields): PlainFields & Pick<TrackedLinkEntity, 'ogAuto'> {
  const fields = Object.fromEntries(
    PLAIN_FIELDS.map((field) => [field, request[field] || null]),
  ) as PlainFields;
  return { ...fields, ogAuto: ogAutoOfNew(request) };
}

/** utm of a new one: as given, else as the destination's query has it (docs/concepts/links.md#utm-values). */
function utmOfNew(request: TrackedLinkFields, destination: string): Utm {
  const own = utmOf(destination);
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, request[field] || own[field]]),
  ) as unknown as Utm;
}

/** What an update changes of the fields that it supplies; null and an empty text clear. */
export function suppliedFields(
  request: TrackedLinkFields & { originalUrl?: string | null },
): Partial<TrackedLinkEntity> {
  const fields = [...PLAIN_FIELDS, ...UTM_FIELDS].filter((field) => request[field] !== undefined);
  return {
    ...Object.fromEntries(fields.map((field) => [field, request[field] || null])),
    ...(request.originalUrl && { originalUrl: request.originalUrl }),
    ...(request.appendClickId !== undefined && { appendClickId: request.appendClickId }),
    ...(typeof request.showAdPage === 'boolean' && { showAdPage: request.showAdPage }),
  };
}

/**
 * What an update makes of utm values: one that is given otherwise than it stands is the owner's, and stays whatever
 * the destination says; the others are the destination's (docs/concepts/links.md#utm-values).
 */
export function utmOfUpdate(
  trackedLink: TrackedLinkEntity,
  supplied: Partial<TrackedLinkEntity>,
): Partial<Utm> {
  const before = utmOf(trackedLink.originalUrl);
  const now = supplied.originalUrl ? utmOf(supplied.originalUrl) : before;
  const changed = UTM_FIELDS.flatMap((field) => {
    const present = trackedLink[field] ?? before[field];
    const given = supplied[field] === present ? undefined : supplied[field];
    if (given) return [];
    const isDestinations = given === null || present === before[field];
    return [[field, isDestinations ? now[field] : present] as const];
  });
  return Object.fromEntries(changed);
}

/**
 * Takes a field that cannot be changed as it stands, so that an object can be sent back as it was read
 * (docs/concepts/links.md#what-can-change).
 * @param hint what to send in its place
 * @throws ValidationFailed when it says something else
 */
export function checkLasting(field: string, given: unknown, present: unknown, hint = ''): void {
  if (given !== undefined && given !== present)
    throw ValidationFailed.field(field, `cannot be changed${hint}`);
}

/** The same of the fields that make an address; null leaves them as they are. */
export function checkPlace(
  { domainId, code }: TrackedLinkEntity,
  codeField: 'customAlias' | 'alias',
  request: { customDomainId?: number | null; customAlias?: string | null; alias?: string | null },
): void {
  checkLasting(codeField, request[codeField] ?? undefined, code);
  const present = domainId === DEFAULT_DOMAIN ? null : domainId;
  checkLasting('customDomainId', request.customDomainId ?? undefined, present);
}

/** The utm values that the address a visitor is led to carries. */
export function shownUtm(trackedLink: TrackedLinkEntity): Utm {
  const own = trackedLink.originalUrl.includes('utm') ? utmOf(trackedLink.originalUrl) : null;
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, trackedLink[field] ?? own?.[field] ?? null]),
  ) as unknown as Utm;
}
