import { parse } from 'csv-parse/sync';
import { withoutGuard } from '../../../common/csv';
import type { ImportedLink } from './imported-link.dto';

type Field = Exclude<keyof ImportedLink, symbol>;

/** What a cell means to the checks of an imported link; a cell that means nothing stays text, and fails there. */
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
/** A line of CSV, or a JSON array of texts. */
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

/** Also as databases write it (`2024-05-01 10:00:00+00`), and as a Unix time of seconds or milliseconds. */
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
 * Names that exports of other products have for our fields: docs/importing.md#columns. Of several columns that mean
 * one field, that with our own name counts, then that which stands first here.
 */
const SYNONYMS: Readonly<Partial<Record<Field, readonly string[]>>> = {
  url: [
    'longUrl',
    'destination',
    'destinationUrl',
    'destinationLink',
    'target',
    'targetUrl',
    'cachedLink',
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
  domain: ['domainName', 'customDomain', 'brandedDomain'],
  maxClicks: ['clickLimit', 'clicksLimit', 'maxVisits'],
  hasPassword: ['passwordProtected', 'isPasswordProtected'],
};

/** Our own names for one field: those of create requests, and those of answers. */
const OWN_SYNONYMS: Readonly<Record<string, Field>> = { originalUrl: 'url', expiresAt: 'expirationDate' };

/** Letter case, spaces, dots, dashes and underscores do not count. */
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

/** What the columns of a file are. */
export interface ImportColumns {
  /** By column; null: not used. */
  readonly fields: readonly (Field | null)[];
  /** Names of the columns that are not used. */
  readonly ignored: readonly string[];
  /** A field that several columns claim with equal right. */
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

/** The link that a row describes, unchecked; empty cells are fields that are not given. */
export function requestOfRow({ fields }: ImportColumns, cells: readonly string[]): object {
  const entries = fields.flatMap((field, i) => {
    const cell = withoutGuard(cells[i] ?? '');
    return field === null || cell.trim() === '' ? [] : [[field, READERS[field](cell)] as const];
  });
  return Object.fromEntries(entries);
}
