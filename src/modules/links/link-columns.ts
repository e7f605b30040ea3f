import { parse } from 'csv-parse/sync';
import { guarded, withoutGuard, writeCsv } from '../../common/csv';
import type { Link } from './link.entity';
import type { CreateLinkRequest } from './links.dto';
import type { ShortUrlResponse } from './short-url.dto';

/** A link as an export writes it. */
interface Exported {
  link: Link;
  shown: ShortUrlResponse;
}

type Cell = string | number | boolean | null;

/** Columns of an export. Those that a create request takes have its names, so that an export can be imported. */
const COLUMNS: Readonly<Record<string, (each: Exported) => Cell>> = {
  id: ({ shown }) => shown.id,
  shortUrl: ({ shown }) => shown.shortUrl,
  url: ({ shown }) => shown.originalUrl,
  customAlias: ({ link }) => (link.isAlias ? link.code : null),
  title: ({ shown }) => shown.title,
  clickCount: ({ shown }) => shown.clickCount,
  createdAt: ({ shown }) => shown.createdAt,
  expirationDate: ({ shown }) => shown.expiresAt,
  showAdPage: ({ shown }) => shown.showAdPage,
  goalType: ({ shown }) => shown.goalType,
  customDomainId: ({ link }) => link.domainId || null,
  customDomainName: ({ shown }) => shown.customDomainName,
  iosAppId: ({ shown }) => shown.iosAppId,
  androidAppId: ({ shown }) => shown.androidAppId,
  iosDeepLinkPath: ({ shown }) => shown.iosDeepLinkPath,
  androidDeepLinkPath: ({ shown }) => shown.androidDeepLinkPath,
  mobileTargetUrl: ({ shown }) => shown.mobileTargetUrl,
  ogTitle: ({ shown }) => shown.ogTitle,
  ogDescription: ({ shown }) => shown.ogDescription,
  ogImageUrl: ({ shown }) => shown.ogImageUrl,
  utmSource: ({ shown }) => shown.utmSource,
  utmMedium: ({ shown }) => shown.utmMedium,
  utmTerm: ({ shown }) => shown.utmTerm,
  utmContent: ({ shown }) => shown.utmContent,
  tags: ({ shown }) => (shown.tags.length > 0 ? writeCsv([shown.tags]).trimEnd() : null),
  hasPassword: ({ shown }) => shown.hasPassword,
  maxClicks: ({ shown }) => shown.maxClicks,
  usedClicks: ({ shown }) => shown.usedClicks,
  targeting: ({ shown }) => jsonOf(shown.targeting),
  variants: ({ shown }) => jsonOf(shown.variants),
};

export const EXPORT_HEADER: readonly string[] = Object.keys(COLUMNS);

export function cellsOf(each: Exported): string[] {
  return Object.values(COLUMNS).map((cell) => guarded(String(cell(each) ?? '')));
}

function jsonOf(items: readonly object[]): string | null {
  return items.length > 0 ? JSON.stringify(items) : null;
}

type Field = Exclude<keyof CreateLinkRequest, symbol>;

/** What a cell means to the checks of a create request; a cell that means nothing stays text, and fails there. */
const text = (cell: string): unknown => cell;
const integer = (cell: string): unknown => (/^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell);
const truth = (cell: string): unknown => {
  const word = cell.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
const list = (cell: string): unknown => {
  try {
    return parse(cell, { skip_empty_lines: true }).flat();
  } catch {
    return cell;
  }
};
const json = (cell: string): unknown => {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
};

const FIELDS: Readonly<Record<Field, (cell: string) => unknown>> = {
  url: text,
  customAlias: text,
  title: text,
  expirationDate: text,
  showAdPage: truth,
  goalType: text,
  customDomainId: integer,
  iosAppId: integer,
  androidAppId: integer,
  iosDeepLinkPath: text,
  androidDeepLinkPath: text,
  mobileTargetUrl: text,
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
};

/** The names that the short URL has for fields of the create request. */
const SYNONYMS: Readonly<Record<string, Field>> = { originalurl: 'url', expiresat: 'expirationDate' };
const BY_NAME = new Map<string, Field>([
  ...(Object.keys(FIELDS) as Field[]).map((field) => [field.toLowerCase(), field] as const),
  ...Object.entries(SYNONYMS),
]);

/** The create field of each column; null for columns that an import does not know. Letter case does not count. */
export function fieldsOfHeader(header: readonly string[]): (Field | null)[] {
  return header.map((name) => BY_NAME.get(name.trim().toLowerCase()) ?? null);
}

/** The body of a create request that a row stands for; empty cells are fields that are not given. */
export function requestOfRow(fields: readonly (Field | null)[], cells: readonly string[]): object {
  const entries = fields.flatMap((field, i) => {
    const cell = withoutGuard(cells[i] ?? '');
    return field === null || cell.trim() === '' ? [] : [[field, FIELDS[field](cell)] as const];
  });
  return Object.fromEntries(entries);
}
