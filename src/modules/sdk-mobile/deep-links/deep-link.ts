import { deepLinkUrl } from '../../apps/deep-link-url';
import type { KnownApp } from '../../apps/cache/app-cache';
import type { CampaignTarget } from '../../campaigns/campaign-cache';
import type { LinkTarget } from '../../links/link-cache';
import type { ResolvedCampaignResponse, ResolvedShortUrlResponse } from './deep-link.dto';

type Leading = Pick<
  LinkTarget,
  'originalUrl' | 'iosAppId' | 'androidAppId' | 'iosDeepLinkPath' | 'androidDeepLinkPath' | 'goalType'
>;

/** How an app opens what a link or campaign leads to. */
export function deepLinkOf(app: KnownApp, target: Leading, urlId: number | null) {
  const { originalUrl, iosDeepLinkPath, androidDeepLinkPath, goalType } = target;
  return {
    scheme: app.scheme,
    deepLinkUrl: urlFor(app, target),
    iosDeepLinkPath,
    androidDeepLinkPath,
    originalUrl,
    urlId,
    goalType,
  };
}

export function toResolvedShortUrl(
  app: KnownApp,
  link: LinkTarget,
): Omit<ResolvedShortUrlResponse, 'sessionId'> {
  const { id, code, appPath, mobileTargetUrl } = link;
  return { shortCode: code, appPath, mobileTargetUrl, ...deepLinkOf(app, link, id), customerId: null };
}

/** @param customerId whom the campaign's address named */
export function toResolvedCampaign(
  app: KnownApp,
  target: CampaignTarget,
  customerId: string | null,
): Omit<ResolvedCampaignResponse, 'sessionId'> {
  const { id, name, code: alias, appPath, mobileTargetUrl } = target;
  const campaign = { id, name, alias };
  return { campaign, appPath, mobileTargetUrl, ...deepLinkOf(app, target, null), customerId };
}

/** What leads into no app, and names no path, opens none. */
function urlFor({ id, platform, scheme }: KnownApp, target: Leading): string | null {
  const paths = { iOS: target.iosDeepLinkPath, Android: target.androidDeepLinkPath, Web: null };
  const path = paths[platform];
  const isTied = target.iosAppId === id || target.androidAppId === id;
  return isTied || path !== null ? deepLinkUrl(scheme, path) : null;
}
