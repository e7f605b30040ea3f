import { guarded, writeCsv } from '../../../common/csv';
import type { Link } from '../link.entity';
import type { ShortUrlResponse } from '../short-url.dto';

interface Exported {
  link: Link;
  shown: ShortUrlResponse;
}

type Cell = string | number | boolean | null;

/**
 * Columns of an export. An export is a backup, so columns that make up a link have the names that an import accepts.
 * New columns go at the end.
 */
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
  appendClickId: ({ shown }) => shown.appendClickId,
  code: ({ link }) => link.code,
  deduplicationWindowMinutes: ({ link }) => link.deduplicationWindowMinutes,
};

export const EXPORT_HEADER: readonly string[] = Object.keys(COLUMNS);

export function cellsOf(each: Exported): string[] {
  return Object.values(COLUMNS).map((cell) => guarded(String(cell(each) ?? '')));
}

function jsonOf(items: readonly object[]): string | null {
  return items.length > 0 ? JSON.stringify(items) : null;
}
