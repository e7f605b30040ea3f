import { displayText, pictureAddress, webAddress } from '../../../common/display-text';
import type { KnownApp } from '../../apps/cache/app-cache';
import { schemeOf } from '../../apps/deep-link-url';
import type { Visitor } from '../../clicks/visitor-facts';
import { SITE_TOKEN_PARAMETER } from '../../domains/destinations/own-parameters';
import { withParameter } from '../../domains/destinations/query';
import type { Html } from '../../pages/html';
import { openingAddress, storeAddress } from './app-address';
import type { TrackedLink } from '../tracked-link';

/** What the page that opens an app is made of, beside link and app. */
export interface AppPageRequest {
  visitor: Visitor;
  /** Where the link leads without the app. */
  location: string;
  /** The address that was asked for, without its query. */
  address: string;
  /** Empty where nothing is to be told. */
  token: string;
  /** Where the page tells of itself: a path of its own origin, or an address. */
  webSdkUrl: string;
  /** Where Android goes when it finds that the app is not there. */
  fallback: string;
}

/** Whether there is anything that a page could do with this app. */
export function canBeOpened(app: KnownApp): boolean {
  return schemeOf(app.scheme) !== null || webAddress(app.storeUrl) !== null;
}

/** Whether iOS would have opened the app itself for this address, if it were there: this page means that it is not. */
function isUniversalLink({ platform, teamId, bundleId, path }: KnownApp, address: string): boolean {
  const isAssociated = platform === 'iOS' && teamId !== null && bundleId !== null;
  return isAssociated && new URL(address).pathname.startsWith(`/${path}/`);
}

/**
 * The page that opens an app, or leads to where one gets it (docs/concepts/deep-links.md#the-page-that-opens-an-app).
 * In-app browsers refuse to open other apps unless a person asks them to, so there it waits for one
 * (docs/concepts/deep-links.md#the-page-that-opens-an-app).
 * @returns null when the destination is no address of the web
 */
export function appPage(trackedLink: TrackedLink, app: KnownApp, request: AppPageRequest): Html | null {
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
    // Every browser on iOS asks, or alerts where the app is absent, unless a person has just touched the link.
    triesApp: platform === 'Android' && !visitor.inApp,
    goesOn: !visitor.inApp && (platform === 'Android' || open === null || isUniversalLink(app, address)),
  };
  const connect = URL.parse(webSdkUrl)?.origin ?? "'self'";
  return { status: 200, template: 'redirect/pages/app', data, script: true, images: [icon], connect };
}
