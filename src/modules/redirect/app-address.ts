import { deepLinkPath, deepLinkUrl, schemeOf } from '../../common/deep-link-url';

/** What of an app an address is made of. */
export interface Opening {
  platform: 'iOS' | 'Android';
  /** `<scheme>://`; null without one. */
  scheme: string | null;
  /** Package name on Android. */
  bundleId: string | null;
  /** Path that the app opens, with its query. */
  path: string | null;
}

const PACKAGE = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/;

/**
 * The address that opens the app: on iOS its scheme (a universal link has opened it before this page is asked for),
 * on Android an `intent:`, with the package so that no other app answers, and where to go without it.
 * @param fallback an address of the web
 * @returns null when the app has no scheme
 */
export function openingAddress(
  { platform, scheme, bundleId, path }: Opening,
  fallback: string,
): string | null {
  if (platform === 'iOS') return deepLinkUrl(scheme, path);
  const name = schemeOf(scheme);
  if (name === null) return null;
  const parts = [
    `scheme=${name}`,
    ...(bundleId !== null && PACKAGE.test(bundleId) ? [`package=${bundleId}`] : []),
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ];
  // The last `#Intent;` counts on Android; what reads the first must not find the path's own.
  const data = deepLinkPath(path).replace(/#(?=intent;)/gi, '%23');
  return `intent://${data}#Intent;${parts.join(';')};end`;
}
