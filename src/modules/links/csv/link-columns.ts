import { writeList } from '../../../common/csv/lists';
import { guarded, guardedStart } from '../../../common/csv/write-csv';
import type { Link } from '../link.entity';
import type { ShortUrlResponse } from '../short-url.dto';

interface Exported {
  link: Link;
  response: ShortUrlResponse;
}

type Cell = string | number | boolean | null;

/**
 * Columns of an export. An export is a backup, so columns that make up a link have names that an import accepts. New
 * columns are appended at the end.
 */
const COLUMNS: Readonly<Record<string, (each: Exported) => Cell>> = {
  id: ({ response }) => response.id,
  shortUrl: ({ response }) => response.shortUrl,
  url: ({ response }) => response.originalUrl,
  customAlias: ({ link }) => (link.isAlias ? link.code : null),
  title: ({ response }) => response.title,
  clickCount: ({ response }) => response.clickCount,
  createdAt: ({ response }) => response.createdAt,
  expirationDate: ({ response }) => response.expiresAt,
  showAdPage: ({ response }) => response.showAdPage,
  goalType: ({ response }) => response.goalType,
  customDomainId: ({ link }) => link.domainId || null,
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
  code: ({ link }) => link.code,
  deduplicationWindowMinutes: ({ link }) => link.deduplicationWindowMinutes,
  utmCampaign: ({ response }) => response.utmCampaign,
  enabled: ({ response }) => response.enabled,
  archived: ({ response }) => response.archived,
  startsAt: ({ response }) => response.startsAt,
  notStartedUrl: ({ response }) => response.notStartedUrl,
  expiredUrl: ({ response }) => response.expiredUrl,
  forwardQuery: ({ response }) => response.forwardQuery,
  externalId: ({ response }) => response.externalId,
  formerAliases: ({ response }) => writeList(response.formerAliases),
};

export const EXPORT_HEADER: readonly string[] = Object.keys(COLUMNS);

/** Columns that an import reads as addresses. */
const ADDRESSES = new Set([
  'shortUrl',
  'url',
  'mobileTargetUrl',
  'ogImageUrl',
  'notStartedUrl',
  'expiredUrl',
]);

export function cellsOf(each: Exported): string[] {
  return Object.entries(COLUMNS).map(([name, cell]) => {
    const text = String(cell(each) ?? '');
    return ADDRESSES.has(name) ? guardedStart(text) : guarded(text);
  });
}

function jsonOf(items: readonly object[]): string | null {
  return items.length > 0 ? JSON.stringify(items) : null;
}
