/** `<scheme>://` of an app (RFC 3986 §3.1), with the scheme as a group. */
export const APP_SCHEME = /^([A-Za-z][A-Za-z0-9+.-]{0,94}):\/\/$/;

/** Schemes of the web, the system or a browser, which open no app and may even run code. */
export const FOREIGN_SCHEMES: ReadonlySet<string> = new Set(
  (
    'about android-app blob chrome chrome-extension content data facetime facetime-audio feed file filesystem ftp ftps ' +
    'geo http https intent itms itms-apps itms-appss itms-services jar javascript ldap livescript mailto maps market ' +
    'mhtml mocha moz-extension ms-appinstaller resource safari-extension sftp shell sms smsto ssh tel telnet urn ' +
    'vbscript view-source webcal ws wss x-apple-helpbasic'
  ).split(' '),
);

/** The scheme in `<scheme>://`; null if it is malformed or foreign. */
export function schemeOf(text: string | null): string | null {
  const [, scheme] = APP_SCHEME.exec(text ?? '') ?? [];
  return scheme === undefined || FOREIGN_SCHEMES.has(scheme.toLowerCase()) ? null : scheme;
}

/**
 * The URL that opens an app at a path (docs/concepts/deep-links.md#what-the-app-asks): scheme, path and query. Existing
 * escapes are preserved, so that `?next=%2Fa%3Fb` arrives unchanged; only characters that a URL cannot contain are
 * percent-encoded.
 * @param scheme `<scheme>://`
 * @returns null if `schemeOf` rejects the scheme
 */
export function deepLinkUrl(scheme: string | null, path: string | null): string | null {
  const name = schemeOf(scheme);
  return name === null ? null : `${name}://${deepLinkPath(path)}`;
}

/** A path and query as they follow `<scheme>://`. */
export function deepLinkPath(path: string | null): string {
  return (path ?? '')
    .replace(/^\/+/, '')
    .toWellFormed()
    .replaceAll('\u0000', '')
    .replace(/[^\u0021-\u007e]+|["<>\\^`{|}]/gu, (text) => encodeURIComponent(text));
}
