import { cut } from './text';
import { SDK_VERSION } from './version';

const MAX = 200;
/** The server parses the whole user agent before it truncates it. */
const MAX_USER_AGENT = 1_000;

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

/** Client hints about the device, because Chrome's user agent has neither model nor version. */
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
  // Chromium adds a placeholder brand, so that nobody relies on their order. Without a real brand, the server uses the
  // user agent.
  const browser = brands?.find(({ brand }) => !/^Chromium$|not.*brand/i.test(brand));
  const all = {
    platform: 'WEB',
    os: platform,
    osVersion: platformVersion,
    browser: browser?.brand,
    browserVersion: browser?.version,
    deviceType: deviceType(platform, mobile),
    deviceModel: model,
    language: navigator.language,
    screenResolution: resolution(),
    appVersion,
    sdkVersion: SDK_VERSION,
  };
  const entries = Object.entries(all).flatMap(([name, text]) =>
    text ? [[name, cut(text, MAX)] as const] : [],
  );
  return { ...Object.fromEntries<string>(entries), userAgent: cut(navigator.userAgent, MAX_USER_AGENT) };
}

/** Undefined if the browser does not report it, in which case the server uses the user agent. */
function deviceType(platform: string | undefined, mobile: boolean | undefined): string | undefined {
  if (mobile === undefined) return undefined;
  if (mobile) return 'Mobile';
  return platform === 'Android' ? 'Tablet' : 'Desktop';
}

export function timeZone(): string | undefined {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Copies inherited properties, which a spread would omit. */
function pick(data: UserAgentData | undefined): ClientHints {
  return data ? { platform: data.platform, mobile: data.mobile, brands: data.brands } : {};
}
