import { linkOfPage, present } from './page-address';
import type { InitOptions, Link } from './types';

const MINUTE_MS = 60_000;
const DEFAULT_TIMEOUT_MINUTES = 30;

/** `currentScript` is set only during the script's first execution. */
const SCRIPT = typeof document === 'undefined' ? null : document.currentScript;

export interface Settings {
  appId: number;
  proxyUrl: string | null;
  apiUrl: string | null;
  link: Link | null;
  externalUserId: string | null;
  appVersion: string | undefined;
  timeoutMs: number;
  credentials: RequestCredentials;
}

/** @throws TypeError naming the option */
export function readSettings(options: InitOptions): Settings {
  const appId = Number(options.appId);
  if (!Number.isSafeInteger(appId) || appId < 1) throw new TypeError('Waypost: appId must be a number');
  const minutes = options.sessionTimeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES;
  if (!(minutes > 0)) throw new TypeError('Waypost: sessionTimeoutMinutes must be more than 0');
  const src = SCRIPT instanceof HTMLScriptElement ? SCRIPT.src : '';
  const apiUrl = options.apiUrl ?? (src && new URL(src).origin);
  return {
    appId,
    proxyUrl: options.proxyUrl ?? null,
    apiUrl: apiUrl ? apiUrl.replace(/\/+$/, '') : null,
    link: present(options.link ?? {}) ?? linkOfPage(),
    externalUserId: options.externalUserId ?? null,
    appVersion: options.appVersion,
    timeoutMs: minutes * MINUTE_MS,
    credentials: options.credentials ?? 'same-origin',
  };
}
