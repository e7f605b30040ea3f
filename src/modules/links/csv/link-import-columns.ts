import { dateTime, integer, json, list, text, trimmed, truth } from '../../../common/csv/cells';
import { meaningsOf, Table, type TableField } from '../../../common/csv/table';
import type { ImportedLink } from './imported-link.dto';

type Field = Exclude<keyof ImportedLink, symbol>;

/** Fields of an import, with column names of other products (docs/importing.md#columns) and of responses. */
const FIELDS: Readonly<Record<Field, TableField>> = {
  url: {
    read: trimmed,
    ownNames: ['originalUrl'],
    names: [
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
    ],
    kind: 'address',
  },
  customAlias: {
    read: text,
    names: [
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
    ],
  },
  title: { read: text, names: ['name', 'linkTitle', 'linkName', 'label', 'description'], kind: 'free' },
  expirationDate: {
    read: dateTime,
    ownNames: ['expiresAt'],
    names: [
      'expires',
      'expiry',
      'expiryDate',
      'expiration',
      'expiresOn',
      'expiredAt',
      'expireIn',
      'validUntil',
    ],
  },
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

const find = meaningsOf(FIELDS);

export function tableOf(header: readonly string[]): Table {
  return new Table(header, find, (field) => FIELDS[field as Field].kind);
}

/** The create request of a row, not yet validated; empty cells are omitted. */
export function requestOfRow(table: Table, cells: readonly string[]): object {
  return Object.fromEntries(
    table.given(cells).map(([field, cell]) => [field, FIELDS[field as Field].read(cell)] as const),
  );
}
