import { deepLinkPath, deepLinkUrl, schemeOf } from '../../apps/deep-link-url';
import { queryParts, splitUrl, withParameter } from '../../domains/destinations/query';
import { APP_TOKEN_PARAMETER } from '../../domains/destinations/own-parameters';

/** Parts of a URL that opens an app. */
export interface Opening {
  platform: 'iOS' | 'Android';
  /** `<scheme>://`; null for an app without a scheme. */
  scheme: string | null;
  /** Package name on Android. */
  bundleId: string | null;
  /** Path and query that the app opens. */
  path: string | null;
  /** The click's token, passed to the app as a query parameter; empty for none. */
  token: string;
}

const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;

/**
 * The URL that opens the app. On iOS it uses the scheme, because a universal link would have opened the app before this
 * page. On Android it is an `intent:` URL with the package, so that no other app can handle it, and a fallback.
 * @param fallback a web URL
 * @returns null if the app has no scheme
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
  // Android uses the last `#Intent;`, but other parsers use the first, so the path must not contain one.
  const data = deepLinkPath(tokened).replace(/#(?=intent;)/gi, '%23');
  return `intent://${data}#Intent;${parts.join(';')};end`;
}

const PLAY_STORE = /^https?:\/\/play\.google\.com\/store\/apps\/details\?/i;
const REFERRER = 'referrer';

/**
 * The store URL for a click. Google Play passes `referrer` to the installed app (Install Referrer API), so the token is
 * appended to the URL's own value of it.
 * @param store a web URL
 */
export function storeAddress(store: string, token: string): string {
  if (token === '' || !PLAY_STORE.test(store)) return store;
  const part = queryParts(splitUrl(store).query ?? '').find(({ name }) => name === REFERRER);
  const [, given = ''] = /=(.*)/s.exec(part?.raw ?? '') ?? [];
  const others = given
    .split(/%26/i)
    .filter((pair) => pair !== '' && !pair.toLowerCase().startsWith(`${APP_TOKEN_PARAMETER}%3d`));
  return withParameter(store, REFERRER, [...others, `${APP_TOKEN_PARAMETER}%3D${token}`].join('%26'));
}
