import { deepLinkPath, deepLinkUrl, schemeOf } from '../../apps/deep-link-url';
import { queryParts, splitUrl, withParameter } from '../../domains/destinations/query';
import { APP_TOKEN_PARAMETER } from '../../domains/destinations/own-parameters';

/** What of an app an address is made of. */
export interface Opening {
  platform: 'iOS' | 'Android';
  /** `<scheme>://`; null without one. */
  scheme: string | null;
  /** Package name on Android. */
  bundleId: string | null;
  /** Path that the app opens, with its query. */
  path: string | null;
  /** The click's token, which the app gets as a parameter of its address; empty without one. */
  token: string;
}

const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;

/**
 * The address that opens the app: on iOS its scheme (a universal link has opened it before this page is asked for),
 * on Android an `intent:`, with the package so that no other app answers, and where to go without it.
 * @param fallback an address of the web
 * @returns null when the app has no scheme
 */
export function openingAddress(
  { platform, scheme, bundleId, path, token }: Opening,
  fallback: string,
): string | null {
  const tokened = token === '' ? path : withParameter(path ?? '', APP_TOKEN_PARAMETER, token);
  if (platform === 'iOS') return deepLinkUrl(scheme, tokened);
  const name = schemeOf(scheme);
  if (name === null) return null;
  const parts = [
    `scheme=${name}`,
    ...(bundleId !== null && PACKAGE.test(bundleId) ? [`package=${bundleId}`] : []),
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ];
  // The last `#Intent;` counts on Android; what reads the first must not find the path's own.
  const data = deepLinkPath(tokened).replace(/#(?=intent;)/gi, '%23');
  return `intent://${data}#Intent;${parts.join(';')};end`;
}

const PLAY_STORE = /^https?:\/\/play\.google\.com\/store\/apps\/details\?/i;
const REFERRER = 'referrer';

/**
 * The store's address for one click. Google Play hands `referrer` to the app that is installed from it (Install
 * Referrer API); what the address says there already stays in front.
 * @param store an address of the web
 */
export function storeAddress(store: string, token: string): string {
  if (token === '' || !PLAY_STORE.test(store)) return store;
  const part = queryParts(splitUrl(store).query ?? '').find(({ name }) => name === REFERRER);
  const [, given = ''] = /=(.*)/s.exec(part?.raw ?? '') ?? [];
  const kept = given
    .split(/%26/i)
    .filter((pair) => pair !== '' && !pair.toLowerCase().startsWith(`${APP_TOKEN_PARAMETER}%3d`));
  return withParameter(store, REFERRER, [...kept, `${APP_TOKEN_PARAMETER}%3D${token}`].join('%26'));
}
