import { dateTime, integer, json, list, text, trimmed, truth } from '../../../common/csv/cells';
import { meaningsOf, Table, type TableField } from '../../../common/csv/table';
import type { TrackedLinkKind } from '../../clicks/click';

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
];
const TITLES = ['linkTitle', 'linkName', 'label', 'description'];

/** Fields of both kinds. */
const SHARED: Fields = {
  showAdPage: { read: truth },
  appendClickId: { read: truth },
  goalType: { read: text },
  customDomainId: { read: integer },
  iosAppId: { read: integer },
  androidAppId: { read: integer },
  iosDeepLinkPath: { read: text },
  androidDeepLinkPath: { read: text },
  mobileTargetUrl: { read: trimmed, kind: 'address' },
  ogTitle: { read: text, kind: 'free' },
  ogDescription: { read: text, kind: 'free' },
  ogImageUrl: { read: text, kind: 'address' },
  utmSource: { read: text },
  utmMedium: { read: text },
  utmTerm: { read: text },
  utmContent: { read: text },
  utmCampaign: { read: text },
  enabled: { read: truth },
  archived: { read: truth },
  startsAt: { read: dateTime, names: ['validSince', 'validFrom'] },
  notStartedUrl: { read: trimmed, kind: 'address' },
  expiredUrl: { read: trimmed, kind: 'address' },
  forwardQuery: { read: truth },
  tags: { read: list, names: ['labels', 'linkTags', 'tagNames'] },
  password: { read: text },
  maxClicks: { read: integer, names: ['clickLimit', 'clicksLimit', 'maxVisits'] },
  targeting: { read: json },
  variants: { read: json },
  code: { read: trimmed },
  shortUrl: {
    read: trimmed,
    names: ['shortLink', 'link', 'bitlink', 'customBitlink', 'shortenedUrl', 'shortAddress'],
    kind: 'address',
  },
  customDomainName: { read: trimmed },
  domain: { read: trimmed, names: ['domainName', 'customDomain', 'brandedDomain'] },
  createdAt: {
    read: dateTime,
    names: ['created', 'createdOn', 'createdDate', 'creationDate', 'dateCreated', 'createDate', 'timestamp'],
  },
  hasPassword: { read: truth, names: ['passwordProtected', 'isPasswordProtected'] },
  deduplicationWindowMinutes: { read: integer },
  externalId: { read: text },
};

/** Fields of an import, with column names of other products and of responses. */
const FIELDS: Readonly<Record<TrackedLinkKind, Fields>> = {
  link: {
    url: { read: trimmed, ownNames: ['originalUrl'], names: DESTINATIONS, kind: 'address' },
    customAlias: { read: text, names: ['alias', ...ALIASES] },
    title: { read: text, names: ['name', ...TITLES], kind: 'free' },
    expirationDate: { read: dateTime, ownNames: ['expiresAt'], names: EXPIRIES },
    ...SHARED,
  },
  campaign: {
    name: { read: text, names: ['campaign', 'campaignName'], kind: 'free' },
    originalUrl: { read: trimmed, ownNames: ['url'], names: DESTINATIONS, kind: 'address' },
    alias: { read: text, names: ['customAlias', ...ALIASES] },
    title: { read: text, names: TITLES, kind: 'free' },
    expiresAt: { read: dateTime, ownNames: ['expirationDate'], names: EXPIRIES },
    ...SHARED,
  },
};

const find = { link: meaningsOf(FIELDS.link), campaign: meaningsOf(FIELDS.campaign) };

export function tableOf(kind: TrackedLinkKind, header: readonly string[]): Table {
  return new Table(header, find[kind], (field) => FIELDS[kind][field]?.kind);
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
