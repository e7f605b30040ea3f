import type { Caller } from '../../../access/caller';
import { ValidationFailed } from '../../../common/errors/errors';
import { type Utm, UTM_FIELDS, utmOf } from '../../domains/destinations/utm';
import { parseStart } from '../../../common/time/parse';
import { DEFAULT_DOMAIN_ID, type TrackedLinkEntity } from '../tracked-link.entity';
import { ogAutoOfNew } from '../open-graph/og-fetches';
import type { NewTrackedLink } from '../tracked-links.repository';
import { suppliedRouting } from '../routing/routing-fields';
import { tagsOf } from './tags';
import type { TrackedLinkFields } from './tracked-link-fields.dto';

/** Request fields that are stored unchanged. utm values are not among them, because the destination may supply them. */
const PLAIN_FIELDS = [
  'externalId',
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
  'notStartedUrl',
  'expiredUrl',
] as const satisfies readonly (keyof TrackedLinkEntity & keyof TrackedLinkFields)[];

/** Switches, which null leaves unchanged, with their defaults in a new link or campaign. */
const SWITCHES = { showAdPage: false, enabled: true, archived: false, forwardQuery: true } as const;
const SWITCH_FIELDS = Object.keys(SWITCHES) as (keyof typeof SWITCHES)[];

type PlainFields = Pick<TrackedLinkEntity, (typeof PLAIN_FIELDS)[number]>;

/** Validated values whose request fields have different names for links and campaigns. */
interface Validated {
  domainId: number;
  alias: string | null | undefined;
  originalUrl: string;
  expiresAt: Date | null;
  passwordHash: string | null;
  now: Date;
}

/** The common columns of a new link or campaign. Without an alias, the code is generated on insert. */
export function newTrackedLink(
  caller: Caller,
  request: TrackedLinkFields,
  validated: Validated,
): NewTrackedLink<TrackedLinkEntity> {
  const { domainId, alias, originalUrl, expiresAt, passwordHash, now } = validated;
  return {
    ...SWITCHES,
    organizationId: caller.organizationId,
    domainId,
    code: alias ?? '',
    isAlias: Boolean(alias),
    formerCodes: [],
    originalUrl,
    ...plainFieldsOf(request),
    ...utmOfNew(request, originalUrl),
    ...suppliedSwitches(request),
    ...NONE_LISTED,
    ...suppliedLists(request),
    passwordHash,
    usedClicks: 0,
    importedClicks: 0,
    startsAt: startOf(request) ?? null,
    appendClickId: request.appendClickId ?? null,
    deduplicationWindowMinutes: null,
    expiresAt,
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** Plain fields of a new link or campaign. Omitted ones are null; Open Graph fields are then filled from the page. */
function plainFieldsOf(request: TrackedLinkFields): PlainFields & Pick<TrackedLinkEntity, 'ogAuto'> {
  const fields = Object.fromEntries(
    PLAIN_FIELDS.map((field) => [field, request[field] || null]),
  ) as PlainFields;
  return { ...fields, ogAuto: ogAutoOfNew(request) };
}

/** Initial utm values: the supplied ones, else those in the destination's query (docs/concepts/links.md#utm-values). */
function utmOfNew(request: TrackedLinkFields, destination: string): Utm {
  const own = utmOf(destination);
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, request[field] || own[field]]),
  ) as unknown as Utm;
}

function suppliedSwitches(request: TrackedLinkFields): Partial<Record<keyof typeof SWITCHES, boolean>> {
  const fields = SWITCH_FIELDS.filter((field) => typeof request[field] === 'boolean');
  return Object.fromEntries(fields.map((field) => [field, request[field]]));
}

type ListedFields = Pick<TrackedLinkEntity, 'tags' | 'tagKeys' | 'maxClicks' | 'targeting' | 'variants'>;

const NONE_LISTED: ListedFields = {
  tags: [],
  tagKeys: [],
  maxClicks: null,
  targeting: null,
  variants: null,
};

/** Null and an empty list clear a field. */
function suppliedLists(request: TrackedLinkFields): Partial<ListedFields> {
  const { tags, maxClicks } = request;
  return {
    ...(tags !== undefined && tagsOf(tags ?? [])),
    ...(maxClicks !== undefined && { maxClicks }),
    ...suppliedRouting(request),
  };
}

/** Undefined if the request does not supply it. */
function startOf({ startsAt }: TrackedLinkFields): Date | null | undefined {
  return startsAt ? parseStart(startsAt) : startsAt === undefined ? undefined : null;
}

type Times = Pick<TrackedLinkEntity, 'startsAt' | 'expiresAt'>;

/**
 * If the request supplies start or expiry, checks that the link or campaign starts before it expires.
 * @param supplied the times in the request
 * @throws ValidationFailed naming the field
 */
export function checkTimes(
  request: { startsAt?: string | null; expirationDate?: string | null; expiresAt?: string | null },
  supplied: Partial<Times>,
  present?: Times,
): void {
  const { startsAt = present?.startsAt, expiresAt = present?.expiresAt } = supplied;
  if (!startsAt || !expiresAt || startsAt < expiresAt) return;
  if (request.startsAt) throw ValidationFailed.field('startsAt', 'must be before the expiry');
  const field = request.expirationDate ? 'expirationDate' : 'expiresAt';
  if (request[field]) throw ValidationFailed.field(field, 'must be after startsAt');
}

/** The fields that an update supplies; null and an empty string clear a field. */
export function suppliedFields(
  request: TrackedLinkFields & { originalUrl?: string | null },
): Partial<TrackedLinkEntity> {
  const fields = [...PLAIN_FIELDS, ...UTM_FIELDS].filter((field) => request[field] !== undefined);
  return {
    ...Object.fromEntries(fields.map((field) => [field, request[field] || null])),
    ...(request.originalUrl && { originalUrl: request.originalUrl }),
    ...(request.appendClickId !== undefined && { appendClickId: request.appendClickId }),
    ...suppliedSwitches(request),
    ...suppliedLists(request),
    ...(request.startsAt !== undefined && { startsAt: startOf(request) }),
  };
}

/**
 * The utm values that an update changes. A supplied value that differs from the current one overrides the destination
 * from then on; the others follow the destination (docs/concepts/links.md#utm-values).
 */
export function utmOfUpdate(
  trackedLink: TrackedLinkEntity,
  supplied: Partial<TrackedLinkEntity>,
): Partial<Utm> {
  const before = utmOf(trackedLink.originalUrl);
  const now = supplied.originalUrl ? utmOf(supplied.originalUrl) : before;
  const changed = UTM_FIELDS.flatMap((field) => {
    const present = trackedLink[field] ?? before[field];
    const value = supplied[field] === present ? undefined : supplied[field];
    if (value) return [];
    const followsDestination = value === null || present === before[field];
    return [[field, followsDestination ? now[field] : present] as const];
  });
  return Object.fromEntries(changed);
}

/**
 * Accepts a field that cannot be changed if it has its current value, so that a response can be sent back unchanged
 * (docs/concepts/links.md#what-can-change).
 * @param hint appended to the error message: what to send instead
 * @throws ValidationFailed if the value differs
 */
export function checkLasting(field: string, supplied: unknown, present: unknown, hint = ''): void {
  if (supplied !== undefined && supplied !== present)
    throw ValidationFailed.field(field, `cannot be changed${hint}`);
}

/** `checkLasting` for the domain, ignoring null. */
export function checkDomain(
  { domainId }: TrackedLinkEntity,
  request: { customDomainId?: number | null },
): void {
  const present = domainId === DEFAULT_DOMAIN_ID ? null : domainId;
  checkLasting('customDomainId', request.customDomainId ?? undefined, present);
}

/** The utm values in the URL that visitors are redirected to. */
export function effectiveUtm(trackedLink: TrackedLinkEntity): Utm {
  const own = trackedLink.originalUrl.includes('utm') ? utmOf(trackedLink.originalUrl) : null;
  return Object.fromEntries(
    UTM_FIELDS.map((field) => [field, trackedLink[field] ?? own?.[field] ?? null]),
  ) as unknown as Utm;
}
