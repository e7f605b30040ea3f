import type { DeviceReport } from '../../src/modules/attribution/fingerprints/device';
import { pick, type Random, type Weighted } from './random';

export interface Phone {
  os: 'iOS' | 'Android';
  major: number;
  minor: number;
  model: string;
  /** Screen size in CSS pixels, and the device pixel ratio. */
  width: number;
  height: number;
  ratio: number;
  language: string;
}

type Model = Pick<Phone, 'model' | 'width' | 'height' | 'ratio'>;
const model = (name: string, width: number, height: number, ratio: number): Model => ({
  model: name,
  width,
  height,
  ratio,
});

const IPHONES: Weighted<Model> = [
  [14, model('iPhone15,4', 393, 852, 3)],
  [12, model('iPhone17,3', 393, 852, 3)],
  [12, model('iPhone17,1', 402, 874, 3)],
  [8, model('iPhone18,1', 402, 874, 3)],
  [14, model('iPhone14,5', 390, 844, 3)],
  [10, model('iPhone13,2', 390, 844, 3)],
  [10, model('iPhone16,2', 430, 932, 3)],
  [8, model('iPhone17,2', 440, 956, 3)],
  [5, model('iPhone14,3', 428, 926, 3)],
  [3, model('iPhone14,4', 375, 812, 3)],
  [2, model('iPhone12,1', 414, 896, 2)],
  [2, model('iPhone14,6', 375, 667, 2)],
];
const ANDROIDS: Weighted<Model> = [
  [12, model('SM-S928N', 384, 832, 3.75)],
  [12, model('SM-S921N', 360, 780, 3)],
  [10, model('SM-S931N', 360, 780, 3)],
  [8, model('SM-S911N', 360, 780, 3)],
  [7, model('SM-S918N', 384, 824, 3.75)],
  [8, model('SM-A546S', 360, 800, 3)],
  [7, model('SM-A156N', 384, 832, 2.8125)],
  [6, model('SM-F731N', 360, 880, 3)],
  [6, model('SM-F946N', 344, 882, 2.625)],
  [4, model('SM-A245N', 384, 854, 2.8125)],
  [5, model('Pixel 9', 411, 923, 2.625)],
  [4, model('Pixel 8a', 411, 914, 2.625)],
  [5, model('2312DRA50G', 393, 873, 2.75)],
  [3, model('CPH2451', 360, 804, 3)],
  [3, model('23021RAA2Y', 393, 873, 2.75)],
];
const IOS_MAJORS: Weighted<number> = [
  [62, 26],
  [28, 18],
  [6, 17],
  [4, 16],
];
const ANDROID_MAJORS: Weighted<number> = [
  [35, 16],
  [35, 15],
  [18, 14],
  [8, 13],
  [4, 12],
];
const LANGUAGES: Weighted<string> = [
  [80, 'ko-KR'],
  [14, 'en-US'],
  [3, 'ja-JP'],
  [3, 'zh-CN'],
];

export function phoneOf(random: Random): Phone {
  const os = random() < 0.5 ? 'iOS' : 'Android';
  const major = pick(random, os === 'iOS' ? IOS_MAJORS : ANDROID_MAJORS);
  const language = pick(random, LANGUAGES);
  return {
    os,
    major,
    minor: Math.floor(random() * 3),
    language,
    ...pick(random, os === 'iOS' ? IPHONES : ANDROIDS),
  };
}

/** The browser in which the link was opened; one in five is an in-app browser. */
export type Browser = 'system' | 'inApp' | 'bare';

const iosVersion = (major: number, minor: number) => `${major}.${major >= 26 ? minor : 5 + minor}`;

export function pageOf(random: Random, phone: Phone, browser: Browser): DeviceReport {
  const userAgent = pageUserAgent(random, phone, browser);
  if (browser === 'bare') return { userAgent };
  const seen = { userAgent, resolution: `${phone.width}x${phone.height}`, language: phone.language };
  const hints = phone.os === 'Android' && browser === 'system' && random() < 0.95;
  return hints ? { ...seen, osVersion: `${phone.major}.0.0`, deviceModel: phone.model } : seen;
}

function pageUserAgent(random: Random, { os, major, minor, model: name }: Phone, browser: Browser): string {
  if (os === 'iOS') {
    const frozen =
      major >= 26
        ? pick<string>(random, [
            [1, '18_6'],
            [2, '18_7'],
          ])
        : `${major}_${5 + minor}`;
    const version = browser === 'inApp' ? '' : ` Version/${iosVersion(major, minor)}`;
    const last = browser === 'inApp' ? 'KAKAOTALK/25.9.1' : 'Safari/604.1';
    return `Mozilla/5.0 (iPhone; CPU iPhone OS ${frozen} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)${version} Mobile/15E148 ${last}`;
  }
  const platform =
    browser === 'inApp' ? `Android ${major}; ${name} Build/BP2A.250605.031; wv` : 'Android 10; K';
  const chrome = `Chrome/${140 + Math.floor(random() * 3)}.0.0.0 Mobile Safari/537.36`;
  return `Mozilla/5.0 (Linux; ${platform}) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`;
}

/** Without optional values (docs/concepts/deep-links.md#matching-a-first-start). */
export function appOf({ os, major, minor, model: name, width, height, ratio }: Phone): DeviceReport {
  const side = (css: number) => Math.round(css * ratio);
  return {
    userAgent:
      os === 'iOS'
        ? `Shop/4.2.0 CFNetwork/3826.500.131 Darwin/${major - 1}.0.0`
        : `Dalvik/2.1.0 (Linux; U; Android ${major}; ${name} Build/BP2A.250605.031)`,
    osVersion: os === 'iOS' ? iosVersion(major, minor) : String(major),
    resolution: `${side(width)}x${side(height)}`,
    platform: os,
  };
}

/** Whether nothing in another phone's page report contradicts this phone's app report. */
export function looksLike(
  { page, phone: shown }: { page: DeviceReport; phone: Phone },
  { phone }: { phone: Phone },
): boolean {
  const { userAgent } = page;
  const showsMajor = page.osVersion !== undefined || /Version\/|; wv\)| OS 1[67]_/.test(userAgent);
  const showsMinor = userAgent.includes('Version/');
  const showsModel = page.deviceModel !== undefined || userAgent.includes('; wv)');
  return (
    shown.os === phone.os &&
    !(page.resolution !== undefined && (shown.width !== phone.width || shown.height !== phone.height)) &&
    !(showsMajor && shown.major !== phone.major) &&
    !(showsMinor && shown.minor !== phone.minor) &&
    !(showsModel && shown.model !== phone.model)
  );
}
