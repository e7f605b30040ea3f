export interface Device {
  os: 'iOS' | 'Android' | null;
  /** Major version of the operating system. */
  major: number | null;
  /** Minor version; iOS only, where pages and apps report the same one. */
  minor: number | null;
  model: string | null;
  screen: Screen | null;
  language: Language | null;
}

export interface Screen {
  short: number;
  long: number;
}

export interface Language {
  code: string;
  region: string | null;
}

export interface DeviceReport {
  userAgent: string;
  osVersion?: string | null;
  deviceModel?: string | null;
  resolution?: string | null;
  language?: string | null;
  /** Platform of the app, whose user agent may be that of an HTTP library. */
  platform?: 'iOS' | 'Android' | null;
}

type Version = Pick<Device, 'major' | 'minor'>;
type System = Pick<Device, 'os' | 'model'> & Version;

export function deviceOf(report: DeviceReport): Device {
  const system = systemOf(report.userAgent);
  const os = system.os ?? report.platform ?? null;
  // Client hints and native values take precedence over the user agent, which may be frozen.
  const reported = versionOf(report.osVersion);
  const { major, minor } = reported.major === null ? system : reported;
  return {
    os,
    major,
    minor: os === 'iOS' ? minor : null,
    model: modelOf(report.deviceModel) ?? system.model,
    screen: screenOf(report.resolution),
    language: languageOf(report.language),
  };
}

const UNKNOWN: Version = { major: null, minor: null };

function systemOf(userAgent: string): System {
  const [, ios] = IOS.exec(userAgent) ?? [];
  if (ios !== undefined) return { os: 'iOS', model: null, ...iosVersion(userAgent, versionOf(ios)) };
  const platform = userAgent.match(IN_BRACKETS)?.find((text) => /\bAndroid\b/.test(text));
  return platform === undefined ? { os: null, model: null, ...UNKNOWN } : androidOf(platform.slice(1, -1));
}

const IOS = /\((?:iPhone|iPad|iPod)[^()]*? OS (\d{1,3}_\d{1,3})/;
const SAFARI = /\bVersion\/(\d{1,3}(?:\.\d{1,3})?)/;
const IN_BRACKETS = /\([^()]*\)/g;

/** Since iOS 26 the user agent is frozen at 18_6 or 18_7; only Safari's own version shows the real one. */
function iosVersion(userAgent: string, named: Version): Version {
  const [, safari] = SAFARI.exec(userAgent) ?? [];
  if (safari !== undefined) return versionOf(safari);
  return named.major === 18 && (named.minor ?? 0) >= 6 ? UNKNOWN : named;
}

/** Parses `Linux; Android 14; SM-S928B Build/UP1A`. Chrome always sends `Android 10; K`, Firefox no model. */
function androidOf(platform: string): System {
  const parts = platform.split(';').map((part) => part.trim());
  const at = parts.findIndex((part) => part.startsWith('Android'));
  const model = modelOf(parts.slice(at + 1).find((part) => !NO_MODEL.test(part)));
  const version = versionOf(parts[at]);
  return { os: 'Android', model, ...(version.major === 10 && model === null ? UNKNOWN : version) };
}

/** Parts of a user agent at the position of the model that are not a model: languages and browser kinds. */
const NO_MODEL = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|Mobile|Tablet|U|wv|HarmonyOS|HMSCore .*|GMSCore .*|rv:.*)$/i;

/** Parses `26.1`, `18_6_2`, `Android 16`. */
function versionOf(text: string | null | undefined): Version {
  const [, major, minor] = /(\d{1,3})(?:[._](\d{1,3}))?/.exec(text ?? '') ?? [];
  if (major === undefined) return UNKNOWN;
  return { major: Number(major), minor: minor === undefined ? null : Number(minor) };
}

function modelOf(text: string | null | undefined): string | null {
  const [before = ''] = (text ?? '').split(/\bBuild\//, 1);
  const model = before.trim();
  return GENERIC_MODEL.test(model) ? null : model.toLowerCase();
}

const GENERIC_MODEL = /^(?:|K|iPhone|iPad|iPod touch)$/i;

/** The screen size, independent of orientation. */
function screenOf(resolution: string | null | undefined): Screen | null {
  const [, width, height] = /^\s*(\d{2,5})\s*[x×*]\s*(\d{2,5})\s*$/i.exec(resolution ?? '') ?? [];
  if (width === undefined || height === undefined) return null;
  const sides = [Number(width), Number(height)];
  return { short: Math.min(...sides), long: Math.max(...sides) };
}

/** Parses `ko-KR`, `ko_KR`, `zh-Hans-CN`. */
function languageOf(tag: string | null | undefined): Language | null {
  const [code = '', ...rest] = (tag ?? '').trim().toLowerCase().split(/[-_]/);
  if (!/^[a-z]{2,3}$/.test(code)) return null;
  return { code, region: rest.find((part) => /^(?:[a-z]{2}|\d{3})$/.test(part)) ?? null };
}
