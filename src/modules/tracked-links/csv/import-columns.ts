import { dateTime, integer, json, list, text, trimmed, truth } from '../../../common/csv/cells';
import { type FindMeaning, folded, meaningsOf, Table, type TableField } from '../../../common/csv/table';
import type { TrackedLinkKind } from '../../clicks/click';
import { FIELD_NAMES } from '../fields/field-names';

type Fields = Readonly<Record<string, TableField>>;

/** Column names of other products (docs/importing.md#columns). */
const DESTINATIONS = [
  'longUrl',
  'destination',
  'destinationUrl',
  'destinationLink',
  'target',
  'targetUrl',
  'linkTarget',
  'originalLink',
  'longLink',
  'redirectUrl',
  'redirectTo',
  'fullUrl',
  // Firebase, then Branch.
  'deepLink',
  'deepLinkLink',
  'fallbackUrl',
  'desktopUrl',
  'canonicalUrl',
];
const ALIASES = [
  'alias',
  'keyword',
  'slug',
  'customSlug',
  'key',
  'linkKey',
  'path',
  'slashtag',
  'backHalf',
  'customBackHalf',
  'address',
  'customUrl',
  'shortCode',
];
const EXPIRIES = [
  'expires',
  'expiry',
  'expiryDate',
  'expiration',
  'expiresOn',
  'expiredAt',
  'expireIn',
  'validUntil',
  'metaValidUntil',
];
const TITLES = ['linkTitle', 'linkName', 'marketingTitle', 'label', 'description'];

/** Column names of Firebase's exports, with and without the parameter. */
function firebase(label: string, parameter: string): string[] {
  return [label, `${label} (${parameter})`, parameter];
}

const SHARED: Fields = {
  showAdPage: { read: truth },
  appendClickId: { read: truth },
  goalType: { read: text },
  customDomainId: { read: integer },
  iosAppId: { read: integer },
  androidAppId: { read: integer },
  iosDeepLinkPath: { read: text },
  androidDeepLinkPath: { read: text },
  mobileTargetUrl: {
    read: trimmed,
    names: [
      ...firebase('iOS fallback link', 'ifl'),
      ...firebase('Android fallback link', 'afl'),
      'iosUrl',
      'androidUrl',
    ],
    kind: 'address',
    perRow: true,
  },
  ogTitle: { read: text, names: firebase('Social title', 'st'), kind: 'free' },
  ogDescription: { read: text, names: firebase('Social description', 'sd'), kind: 'free' },
  ogImageUrl: { read: text, names: firebase('Social image link', 'si'), kind: 'address' },
  utmSource: { read: text, names: firebase('UTM source', 'utm_source') },
  utmMedium: { read: text, names: firebase('UTM medium', 'utm_medium') },
  utmTerm: { read: text, names: firebase('UTM term', 'utm_term') },
  utmContent: { read: text, names: firebase('UTM content', 'utm_content') },
  utmCampaign: { read: text, names: firebase('UTM campaign', 'utm_campaign') },
  enabled: { read: truth },
  archived: { read: truth, names: ['isArchived'] },
  startsAt: { read: dateTime, names: ['validSince', 'validFrom', 'metaValidSince'] },
  notStartedUrl: { read: trimmed, kind: 'address' },
  expiredUrl: { read: trimmed, kind: 'address' },
  forwardQuery: { read: truth },
  tags: { read: list, names: ['labels', 'linkTags', 'tagNames'] },
  password: { read: text },
  maxClicks: { read: integer, names: ['clickLimit', 'clicksLimit', 'maxVisits', 'metaMaxVisits'] },
  targeting: { read: json },
  variants: { read: json },
  code: { read: trimmed },
  shortUrl: {
    read: trimmed,
    names: [
      'shortLink',
      'shortDynamicLink',
      'link',
      'bitlink',
      'customBitlink',
      'shortenedUrl',
      'shortAddress',
    ],
    kind: 'address',
  },
  customDomainName: { read: trimmed },
  domain: { read: trimmed, names: ['domainName', 'customDomain', 'brandedDomain'] },
  createdAt: {
    read: dateTime,
    names: [
      'created',
      'createdOn',
      'createdDate',
      'creationDate',
      'dateCreated',
      'createDate',
      'creationTimestamp',
      'creationTime',
      'timestamp',
    ],
  },
  hasPassword: { read: truth, names: ['passwordProtected', 'isPasswordProtected'] },
  deduplicationWindowMinutes: { read: integer },
  externalId: { read: text },
  importedClicks: { read: integer },
  clickCount: {
    read: integer,
    names: [
      'clicks',
      'clicksCount',
      'totalClicks',
      'linkClicks',
      'visits',
      'visitCount',
      'visitsCount',
      'visitsSummaryTotal',
      'totalVisits',
      'hits',
      'engagements',
    ],
  },
};

/** Fields of an import, with column names of other products and of responses. */
const FIELDS: Readonly<Record<TrackedLinkKind, Fields>> = {
  link: {
    url: { read: trimmed, ownNames: ['originalUrl'], names: DESTINATIONS, kind: 'address', perRow: true },
    customAlias: { read: text, names: ['alias', ...ALIASES] },
    title: { read: text, names: ['name', ...TITLES], kind: 'free' },
    expirationDate: { read: dateTime, ownNames: ['expiresAt'], names: EXPIRIES },
    ...SHARED,
  },
  campaign: {
    name: { read: text, names: ['campaign', 'campaignName'], kind: 'free' },
    originalUrl: { read: trimmed, ownNames: ['url'], names: DESTINATIONS, kind: 'address', perRow: true },
    alias: { read: text, names: ['customAlias', ...ALIASES] },
    title: { read: text, names: TITLES, kind: 'free' },
    expiresAt: { read: dateTime, ownNames: ['expirationDate'], names: EXPIRIES },
    ...SHARED,
  },
};

const find = { link: meaningsOf(FIELDS.link), campaign: meaningsOf(FIELDS.campaign) };

export function tableOf(kind: TrackedLinkKind, header: readonly string[]): Table {
  const names = new Set(header.map(folded));
  // In files of Firebase, `link` is the destination beside `short_link`; in files of Branch, `url` is the short link.
  const isOfFirebase = names.has('shortlink') && names.has('link');
  const isOfBranch = header.some((name) => /^\s*\$(?:fallback|desktop)_url\s*$/.test(name));
  const meaningOf: FindMeaning = (name) => {
    if (isOfFirebase && folded(name) === 'link') return { field: FIELD_NAMES[kind].destination, rank: 1 };
    if (isOfBranch && folded(name) === 'url') return { field: 'shortUrl', rank: 1 };
    return find[kind](name);
  };
  return new Table(header, meaningOf, (field) => FIELDS[kind][field]);
}

/** The create request of a row, not yet validated; empty cells are omitted. */
export function requestOfRow(
  kind: TrackedLinkKind,
  table: Table,
  cells: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    table.given(cells).map(([field, cell]) => [field, FIELDS[kind][field]?.read(cell)] as const),
  );
}
