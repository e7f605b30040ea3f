import { SDK_VERSION } from './version';

const MAX = 200;

interface ClientHints {
  platform?: string;
  platformVersion?: string;
  model?: string;
  mobile?: boolean;
  brands?: { brand: string; version: string }[];
}

interface UserAgentData extends ClientHints {
  getHighEntropyValues?(hints: string[]): Promise<ClientHints>;
}

/** What the browser says of its device when asked; Chrome's user agent names neither model nor version. */
export async function clientHints(): Promise<ClientHints> {
  const { userAgentData } = navigator as { userAgentData?: UserAgentData };
  const more = await userAgentData
    ?.getHighEntropyValues?.(['model', 'platformVersion'])
    .catch(() => undefined);
  return { ...pick(userAgentData), ...more };
}

export function resolution(): string {
  return `${String(screen.width)}x${String(screen.height)}`;
}

/** `deviceInfo` of a session. */
export async function deviceInfo(appVersion: string | undefined): Promise<Record<string, string>> {
  const { platform, platformVersion, model, mobile, brands } = await clientHints();
  // Chromium adds a brand that is none, so that nobody relies on their order.
  const browser = brands?.find(({ brand }) => !/^Chromium$|not.*brand/i.test(brand)) ?? brands?.[0];
  const all = {
    platform: 'WEB',
    os: platform,
    osVersion: platformVersion,
    browser: browser?.brand,
    browserVersion: browser?.version,
    deviceType: mobile === undefined ? undefined : mobile ? 'Mobile' : 'Desktop',
    deviceModel: model,
    language: navigator.language,
    screenResolution: resolution(),
    userAgent: navigator.userAgent,
    appVersion,
    sdkVersion: SDK_VERSION,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, text]) => (text ? [[name, text.slice(0, MAX)]] : [])),
  );
}

export function timeZone(): string | undefined {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Properties of the browser's object are not its own, and would not be spread. */
function pick(data: UserAgentData | undefined): ClientHints {
  return data ? { platform: data.platform, mobile: data.mobile, brands: data.brands } : {};
}
