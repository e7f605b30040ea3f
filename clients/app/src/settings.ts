import type { CoreOptions, Platform } from './types';

const MINUTE_MS = 60_000;
const DEFAULT_TIMEOUT_MINUTES = 30;
const DEFAULT_MOST = 2_000;

export interface Settings {
  appId: number;
  publishableKey: string;
  url: string;
  appVersion: string | undefined;
  timeoutMs: number;
  most: number;
  linkHosts: readonly string[] | undefined;
  platform: Platform;
}

/** @throws TypeError naming the option */
export function readSettings(options: CoreOptions): Settings {
  const { publishableKey, url, platform, appVersion, linkHosts } = options;
  const appId = Number(options.appId);
  const minutes = options.sessionTimeoutMinutes ?? DEFAULT_TIMEOUT_MINUTES;
  const most = options.maxQueuedCalls ?? DEFAULT_MOST;
  if (!Number.isSafeInteger(appId) || appId < 1) throw new TypeError('Waypost: appId must be a number');
  if (typeof publishableKey !== 'string' || publishableKey === '')
    throw new TypeError('Waypost: publishableKey is missing');
  if (typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw new TypeError('Waypost: url must be the origin of the API, such as https://api.example.com');
  if (!(minutes > 0)) throw new TypeError('Waypost: sessionTimeoutMinutes must be more than 0');
  if (!(most > 0)) throw new TypeError('Waypost: maxQueuedCalls must be more than 0');
  return {
    appId,
    publishableKey,
    url: url.replace(/\/+$/, ''),
    appVersion,
    timeoutMs: minutes * MINUTE_MS,
    most,
    linkHosts: linkHosts?.map((host) => host.toLowerCase()),
    platform,
  };
}
