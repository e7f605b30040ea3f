import { deepLinkUrl } from '../apps/deep-link-url';
import type { KnownApp } from '../apps/cache/app-cache';
import type { ResolvedCampaignResponse, ResolvedShortUrlResponse } from './deep-link.dto';
import type { CachedTrackedLink } from '../tracked-links/tracked-link-cache';

type Leading = Pick<
  CachedTrackedLink,
  'originalUrl' | 'iosAppId' | 'androidAppId' | 'iosDeepLinkPath' | 'androidDeepLinkPath' | 'goalType'
>;

export function deepLinkOf(app: KnownApp, trackedLink: Leading, urlId: number | null) {
  const { originalUrl, iosDeepLinkPath, androidDeepLinkPath, goalType } = trackedLink;
  return {
    scheme: app.scheme,
    deepLinkUrl: urlFor(app, trackedLink),
    iosDeepLinkPath,
    androidDeepLinkPath,
    originalUrl,
    urlId,
    goalType,
  };
}

export function toResolvedShortUrl(
  app: KnownApp,
  link: CachedTrackedLink,
): Omit<ResolvedShortUrlResponse, 'sessionId'> {
  const { id, code, appPath, mobileTargetUrl } = link;
  return { shortCode: code, appPath, mobileTargetUrl, ...deepLinkOf(app, link, id), customerId: null };
}

/** @param customerId the customId in the campaign's URL */
export function toResolvedCampaign(
  app: KnownApp,
  trackedLink: CachedTrackedLink,
  customerId: string | null,
): Omit<ResolvedCampaignResponse, 'sessionId'> {
  const { id, name, code: alias, appPath, mobileTargetUrl } = trackedLink;
  const campaign = { id, name, alias };
  return { campaign, appPath, mobileTargetUrl, ...deepLinkOf(app, trackedLink, null), customerId };
}

/** Null unless the link or campaign refers to this app or has a path for its platform. */
function urlFor({ id, platform, scheme }: KnownApp, trackedLink: Leading): string | null {
  const paths = { iOS: trackedLink.iosDeepLinkPath, Android: trackedLink.androidDeepLinkPath, Web: null };
  const path = paths[platform];
  const isTied = trackedLink.iosAppId === id || trackedLink.androidAppId === id;
  return isTied || path !== null ? deepLinkUrl(scheme, path) : null;
}
