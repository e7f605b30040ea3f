import type { ApiSettings } from './api';
import { linkOfPage, present } from './page-address';
import type { InitOptions, Link, Member } from './types';

const MINUTE_MS = 60_000;
const DEFAULT_TIMEOUT_MINUTES = 30;

/** `currentScript` is set only during the script's first execution. */
const SCRIPT = typeof document === 'undefined' ? null : document.currentScript;

export interface Settings {
  appId: number;
  /** Null if only the calls without a key work. */
  api: ApiSettings | null;
  apiUrl: string | null;
  link: Link | null;
  member: Member | null;
  appVersion: string | undefined;
  timeoutMs: number;
}

/** @throws TypeError naming the option */
export function readSettings(options: InitOptions): Settings {
  const appId = Number(options.appId);
  if (!Number.isSafeInteger(appId) || appId < 1) throw new TypeError('Waypost: appId must be a number');
  const minutes = options.sessionTimeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES;
  if (!(minutes > 0)) throw new TypeError('Waypost: sessionTimeoutMinutes must be more than 0');
  const src = SCRIPT instanceof HTMLScriptElement ? SCRIPT.src : '';
  const apiUrl = withoutSlash(options.apiUrl ?? (src && new URL(src).origin)) || null;
  const { externalUserId, identitySignature } = options;
  return {
    appId,
    api: readApi(options, apiUrl),
    apiUrl,
    link: present(options.link ?? {}) ?? linkOfPage(),
    member: externalUserId == null ? null : { externalUserId, identitySignature },
    appVersion: options.appVersion,
    timeoutMs: minutes * MINUTE_MS,
  };
}

function readApi(options: InitOptions, apiUrl: string | null): ApiSettings | null {
  const { publishableKey, proxyUrl, credentials = 'same-origin' } = options;
  if (publishableKey == null) {
    if (proxyUrl == null) return null;
    return { url: withoutSlash(proxyUrl), urlOption: 'proxyUrl', publishableKey: null, credentials };
  }
  if (proxyUrl != null) throw new TypeError('Waypost: use either publishableKey or proxyUrl, not both');
  if (!/^wp_pub_[\w-]+$/.test(publishableKey)) {
    throw new TypeError(
      'Waypost: publishableKey must begin with wp_pub_; the secret key, wp_app_…, must stay on your server',
    );
  }
  if (apiUrl === null) {
    throw new TypeError(
      'Waypost: apiUrl is missing; a module needs the origin of Waypost, such as https://api.example.com',
    );
  }
  return { url: apiUrl, urlOption: 'apiUrl', publishableKey, credentials: 'omit' };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
