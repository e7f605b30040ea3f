import { parse } from 'csv-parse/sync';
import { withoutGuard } from '../../../common/csv';
import type { ImportedLink } from './imported-link.dto';

type Field = Exclude<keyof ImportedLink, symbol>;

/** Cell parsers. A cell that can't be parsed stays text and fails validation. */
const text = (cell: string): unknown => cell;
const trimmed = (cell: string): unknown => cell.trim();
const integer = (cell: string): unknown => (/^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell);
const truth = (cell: string): unknown => {
  const word = cell.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
const json = (cell: string): unknown => {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
};
/** A line of CSV, or a JSON array of strings. */
const list = (cell: string): unknown => {
  const items = json(cell);
  if (Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'string'))
    return items;
  try {
    return parse(cell, { skip_empty_lines: true }).flat();
  } catch {
    return cell;
  }
};

const OTHER_FORM = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?) ?(?:(Z|UTC)|([+-]\d\d):?(\d\d)?)$/;

/** Accepts also the format of databases (`2024-05-01 10:00:00+00`) and Unix time in seconds or milliseconds. */
const dateTime = (cell: string): unknown => {
  const word = cell.trim();
  if (/^\d{10}(\d{3})?$/.test(word)) {
    return new Date(Number(word) * (word.length === 10 ? 1000 : 1)).toISOString();
  }
  const [, day, time, utc, hours, minutes = '00'] = OTHER_FORM.exec(word) ?? [];
  if (!day || !time) return word;
  return `${day}T${time}${utc ? 'Z' : `${hours}:${minutes}`}`;
};

const READERS: Readonly<Record<Field, (cell: string) => unknown>> = {
  url: trimmed,
  customAlias: text,
  title: text,
  expirationDate: dateTime,
  showAdPage: truth,
  appendClickId: truth,
  goalType: text,
  customDomainId: integer,
  iosAppId: integer,
  androidAppId: integer,
  iosDeepLinkPath: text,
  androidDeepLinkPath: text,
  mobileTargetUrl: trimmed,
  ogTitle: text,
  ogDescription: text,
  ogImageUrl: text,
  utmSource: text,
  utmMedium: text,
  utmTerm: text,
  utmContent: text,
  utmCampaign: text,
  enabled: truth,
  archived: truth,
  startsAt: dateTime,
  notStartedUrl: trimmed,
  expiredUrl: trimmed,
  forwardQuery: truth,
  tags: list,
  password: text,
  maxClicks: integer,
  targeting: json,
  variants: json,
  code: trimmed,
  shortUrl: trimmed,
  customDomainName: trimmed,
  domain: trimmed,
  createdAt: dateTime,
  hasPassword: truth,
  deduplicationWindowMinutes: integer,
};

/**
 * Column names of other products' exports: docs/importing.md#columns. If several columns map to one field, our own
 * name takes precedence, then the order here.
 */
const SYNONYMS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  url: [
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
  customAlias: [
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
  shortUrl: ['shortLink', 'link', 'bitlink', 'customBitlink', 'shortenedUrl', 'shortAddress'],
  title: ['name', 'linkTitle', 'linkName', 'label', 'description'],
  tags: ['labels', 'linkTags', 'tagNames'],
  expirationDate: [
    'expires',
    'expiry',
    'expiryDate',
    'expiration',
    'expiresOn',
    'expiredAt',
    'expireIn',
    'validUntil',
  ],
  createdAt: [
    'created',
    'createdOn',
    'createdDate',
    'creationDate',
    'dateCreated',
    'createDate',
    'timestamp',
  ],
  startsAt: ['validSince', 'validFrom'],
  domain: ['domainName', 'customDomain', 'brandedDomain'],
  maxClicks: ['clickLimit', 'clicksLimit', 'maxVisits'],
  hasPassword: ['passwordProtected', 'isPasswordProtected'],
};

/** Names that responses use for fields of create requests. */
const OWN_SYNONYMS: Readonly<Record<string, Field>> = { originalUrl: 'url', expiresAt: 'expirationDate' };

/** Ignores letter case, spaces, dots, dashes and underscores. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]+/g, '');
}

const BY_NAME = new Map<string, { field: Field; rank: number }>([
  ...Object.entries(SYNONYMS).flatMap(([field, names]) =>
    names.map((name, i) => [folded(name), { field: field as Field, rank: i + 1 }] as const),
  ),
  ...(Object.keys(READERS) as Field[]).map((field) => [folded(field), { field, rank: 0 }] as const),
  ...Object.entries(OWN_SYNONYMS).map(([name, field]) => [folded(name), { field, rank: 0 }] as const),
]);

export interface ImportColumns {
  /** The field of each column; null for unused ones. */
  readonly fields: readonly (Field | null)[];
  /** Names of unused columns. */
  readonly ignored: readonly string[];
  /** A field to which several columns map with equal precedence. */
  readonly repeated: Field | null;
}

export function columnsOfHeader(header: readonly string[]): ImportColumns {
  const found = header.map((name) => BY_NAME.get(folded(name)) ?? null);
  const best = new Map<Field, number>();
  for (const each of found) {
    if (each) best.set(each.field, Math.min(each.rank, best.get(each.field) ?? Infinity));
  }
  const fields = found.map((each) => (each && each.rank === best.get(each.field) ? each.field : null));
  const ignored = header.filter((name, i) => fields[i] === null && name.trim() !== '');
  const repeated = fields.find((field, i) => field !== null && fields.indexOf(field) !== i) ?? null;
  return { fields, ignored: ignored.map((name) => name.trim()), repeated };
}

/** The unchecked create request of a row; empty cells are omitted. */
export function requestOfRow({ fields }: ImportColumns, cells: readonly string[]): object {
  const entries = fields.flatMap((field, i) => {
    const cell = withoutGuard(cells[i] ?? '');
    return field === null || cell.trim() === '' ? [] : [[field, READERS[field](cell)] as const];
  });
  return Object.fromEntries(entries);
}
