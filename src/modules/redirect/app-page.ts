import { schemeOf } from '../../common/deep-link-url';
import type { KnownApp } from '../apps/app-directory';
import { openingAddress } from './app-address';
import type { Html } from './html';
import { pictureAddress, shownText, webAddress } from './shown';
import type { Target } from './target';
import type { Visitor } from './visitor';

/** What the page that opens an app is made of, beside link and app. */
export interface AppPageRequest {
  visitor: Visitor;
  /** Where the link leads without the app. */
  location: string;
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

/**
 * The page that opens an app, or leads to where one gets it (4-decisions §7). In-app browsers refuse to open other apps
 * unless a person asks them to, so there it waits for one.
 * @returns null when the destination is no address of the web
 */
export function appPage(target: Target, app: KnownApp, request: AppPageRequest): Html | null {
  const { visitor, location, token, webSdkUrl, fallback } = request;
  const web = webAddress(location);
  if (web === null) return null;
  const platform = visitor.platform ?? 'iOS';
  const path = platform === 'iOS' ? target.iosDeepLinkPath : target.androidDeepLinkPath;
  const icon = pictureAddress(app.appIconUrl);
  const data = {
    appName: shownText(app.appName) ?? 'App',
    title: shownText(target.title) ?? shownText(target.ogTitle),
    icon,
    open: openingAddress({ platform, scheme: app.scheme, bundleId: app.bundleId, path }, fallback),
    store: webAddress(app.storeUrl),
    web,
    token,
    appId: app.id,
    isCampaign: target.kind === 'campaign',
    webSdkUrl,
    isAutomatic: !visitor.inApp,
  };
  const connect = URL.canParse(webSdkUrl) ? new URL(webSdkUrl).origin : "'self'";
  return { status: 200, template: 'app', data, script: true, images: [icon], connect };
}
