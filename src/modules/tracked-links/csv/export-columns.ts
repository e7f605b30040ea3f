import { writeList } from '../../../common/csv/lists';
import { guarded, guardedStart } from '../../../common/csv/write-csv';
import type { TrackedLinkKind } from '../../clicks/click';
import type { TrackedLinkResponse } from '../fields/tracked-link.dto';
import type { TrackedLinkEntity } from '../tracked-link.entity';

interface Exported {
  row: TrackedLinkEntity;
  response: TrackedLinkResponse & { shortUrl?: string; name?: string; username?: string | null };
}

type Cell = string | number | boolean | null | undefined;
type Columns = Readonly<Record<string, (each: Exported) => Cell>>;

const SHARED: Columns = {
  showAdPage: ({ response }) => response.showAdPage,
  goalType: ({ response }) => response.goalType,
  customDomainId: ({ row }) => row.domainId || null,
  customDomainName: ({ response }) => response.customDomainName,
  iosAppId: ({ response }) => response.iosAppId,
  androidAppId: ({ response }) => response.androidAppId,
  iosDeepLinkPath: ({ response }) => response.iosDeepLinkPath,
  androidDeepLinkPath: ({ response }) => response.androidDeepLinkPath,
  mobileTargetUrl: ({ response }) => response.mobileTargetUrl,
  ogTitle: ({ response }) => response.ogTitle,
  ogDescription: ({ response }) => response.ogDescription,
  ogImageUrl: ({ response }) => response.ogImageUrl,
  utmSource: ({ response }) => response.utmSource,
  utmMedium: ({ response }) => response.utmMedium,
  utmTerm: ({ response }) => response.utmTerm,
  utmContent: ({ response }) => response.utmContent,
  tags: ({ response }) => writeList(response.tags),
  hasPassword: ({ response }) => response.hasPassword,
  maxClicks: ({ response }) => response.maxClicks,
  usedClicks: ({ response }) => response.usedClicks,
  targeting: ({ response }) => jsonOf(response.targeting),
  variants: ({ response }) => jsonOf(response.variants),
  appendClickId: ({ response }) => response.appendClickId,
  code: ({ row }) => row.code,
  deduplicationWindowMinutes: ({ row }) => row.deduplicationWindowMinutes,
  utmCampaign: ({ response }) => response.utmCampaign,
  enabled: ({ response }) => response.enabled,
  archived: ({ response }) => response.archived,
  startsAt: ({ response }) => response.startsAt,
  notStartedUrl: ({ response }) => response.notStartedUrl,
  expiredUrl: ({ response }) => response.expiredUrl,
  forwardQuery: ({ response }) => response.forwardQuery,
  externalId: ({ response }) => response.externalId,
  formerAliases: ({ response }) => writeList(response.formerAliases),
  importedClicks: ({ response }) => response.importedClicks,
};

/**
 * Columns of an export. An export is a backup, so columns that make up a link have names that an import accepts. New
 * columns are appended to their list.
 */
const COLUMNS: Readonly<Record<TrackedLinkKind, Columns>> = {
  link: {
    id: ({ response }) => response.id,
    shortUrl: ({ response }) => response.shortUrl,
    url: ({ response }) => response.originalUrl,
    customAlias: ({ row }) => (row.isAlias ? row.code : null),
    title: ({ response }) => response.title,
    clickCount: ({ response }) => response.clickCount,
    createdAt: ({ response }) => response.createdAt,
    expirationDate: ({ response }) => response.expiresAt,
    ...SHARED,
  },
  campaign: {
    id: ({ response }) => response.id,
    name: ({ response }) => response.name,
    link: ({ response }) => response.link,
    originalUrl: ({ response }) => response.originalUrl,
    alias: ({ row }) => (row.isAlias ? row.code : null),
    title: ({ response }) => response.title,
    clickCount: ({ response }) => response.clickCount,
    createdAt: ({ response }) => response.createdAt,
    expiresAt: ({ response }) => response.expiresAt,
    ...SHARED,
    username: ({ response }) => response.username,
  },
};

export function exportHeader(kind: TrackedLinkKind): readonly string[] {
  return Object.keys(COLUMNS[kind]);
}

/** Columns that an import reads as addresses. */
const ADDRESSES = new Set([
  'shortUrl',
  'link',
  'url',
  'originalUrl',
  'mobileTargetUrl',
  'ogImageUrl',
  'notStartedUrl',
  'expiredUrl',
]);

export function cellsOf(kind: TrackedLinkKind, each: Exported): string[] {
  return Object.entries(COLUMNS[kind]).map(([name, cell]) => {
    const text = String(cell(each) ?? '');
    return ADDRESSES.has(name) ? guardedStart(text) : guarded(text);
  });
}

function jsonOf(items: readonly object[]): string | null {
  return items.length > 0 ? JSON.stringify(items) : null;
}
