import { displayText, pictureAddress, webAddress } from '../../../common/display-text';
import type { KnownApp } from '../../apps/cache/app-cache';
import { schemeOf } from '../../apps/deep-link-url';
import type { Visitor } from '../../clicks/visitor-facts';
import { SITE_TOKEN_PARAMETER } from '../../domains/destinations/own-parameters';
import { withParameter } from '../../domains/destinations/query';
import type { Html } from '../../pages/html';
import { openingAddress, storeAddress } from './app-address';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

export interface AppPageRequest {
  visitor: Visitor;
  /** Destination if there were no app. */
  location: string;
  /** The requested URL without its query. */
  address: string;
  /** The click's token; empty if the page must not report anything. */
  token: string;
  /** Base URL for the page's reports: a path on its own origin, or an absolute URL. */
  webSdkUrl: string;
  /** URL that Android opens if the app is not installed. */
  fallback: string;
}

/** Whether the app can be opened or installed. */
export function canBeOpened(app: KnownApp): boolean {
  return schemeOf(app.scheme) !== null || webAddress(app.storeUrl) !== null;
}

/** Whether iOS would have opened an installed app for this URL, so that this page means that it is not installed. */
function isUniversalLink({ platform, teamId, path }: KnownApp, address: string): boolean {
  const isAssociated = platform === 'iOS' && teamId !== null;
  return isAssociated && new URL(address).pathname.startsWith(`/${path}/`);
}

/**
 * The page that opens an app or leads to its store (docs/concepts/deep-links.md#the-page-that-opens-an-app). In-app
 * browsers open other apps only on a tap, so there it waits for the visitor.
 * @returns null if the destination is not a web URL
 */
export function appPage(trackedLink: CachedTrackedLink, app: KnownApp, request: AppPageRequest): Html | null {
  const { visitor, location, token, webSdkUrl, address, fallback } = request;
  const web = webAddress(location);
  if (web === null) return null;
  const platform = visitor.platform ?? 'iOS';
  const path = platform === 'iOS' ? trackedLink.iosDeepLinkPath : trackedLink.androidDeepLinkPath;
  const icon = pictureAddress(app.appIconUrl);
  const store = webAddress(app.storeUrl);
  const opening = { platform, scheme: app.scheme, bundleId: app.bundleId, path, token };
  const open = openingAddress(opening, fallback);
  const data = {
    appName: displayText(app.appName),
    title: displayText(trackedLink.title) ?? displayText(trackedLink.ogTitle),
    icon,
    open,
    store: store && storeAddress(store, token),
    web: trackedLink.appendClickId && token !== '' ? withParameter(web, SITE_TOKEN_PARAMETER, token) : web,
    token,
    appId: app.id,
    isCampaign: trackedLink.kind === 'campaign',
    webSdkUrl,
    // Without a tap, browsers on iOS ask for confirmation, or show an error if the app is not installed.
    triesApp: platform === 'Android' && !visitor.inApp,
    goesOn: !visitor.inApp && (platform === 'Android' || open === null || isUniversalLink(app, address)),
  };
  const connect = URL.parse(webSdkUrl)?.origin ?? "'self'";
  return { status: 200, template: 'redirect/pages/app', data, script: true, images: [icon], connect };
}
