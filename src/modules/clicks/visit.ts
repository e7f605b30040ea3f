import { isbot } from 'isbot';
import { UAParser } from 'ua-parser-js';
import { BoundedCache } from '../../common/bounded-cache';

/** What a user agent says, as statistics name it. */
export interface Agent {
  browser: string;
  os: string;
  /** Mobile, Desktop or Tablet (doc 1 §2); Unknown where it doesn't say. */
  deviceType: string;
  /** Link-preview crawlers included. */
  isBot: boolean;
  /** Whether it reads a page to show a preview of it where the link was posted. */
  isPreview: boolean;
}

export const UNKNOWN = 'Unknown';
export const DIRECT = 'Direct';

const DEVICE_TYPES: Partial<Record<string, string>> = { mobile: 'Mobile', tablet: 'Tablet' };

/** A person at a terminal, who tries a link out and looks for the click; isbot takes these for bots. */
const HAND_TOOL = /^(?:curl|Wget|HTTPie|PostmanRuntime|insomnia)\//i;

/**
 * Those who show a preview of a link where somebody posts it. isbot knows most of them as bots, which is not enough:
 * a search engine wants the destination. iMessage comes as facebookexternalhit and Twitterbot in one, and so do LINE
 * and KakaoTalk with a word of their own added. In-app browsers of the same companies (`KAKAOTALK`, `Line/`,
 * `[Pinterest/iOS]`, `Instagram`) are people.
 */
const PREVIEW =
  /facebookexternalhit|Facebot|meta-externalfetcher|Twitterbot|Slackbot|Slack-ImgProxy|LinkedInBot|^WhatsApp\/|TelegramBot|Discordbot|Pinterestbot|\bPinterest\/0\.|SkypeUriPreview|MicrosoftPreview|kakaotalk-scrap|line-poker|Linespider|^Viber\/|Mastodon\/|Pleroma|Misskey\/|Akkoma|Bluesky Cardyb|Embedly|redditbot|Google-PageRenderer|Iframely|vkShare|Snap URL Preview|Synapse|Zoombot|Yahoo Link Preview|naver\.me\/scrap|Tumblr\/|Valve\/Steam|Bitrix link preview|XING-contenttabreceiver/i;

const agents = new BoundedCache<string, Agent>(20_000);

/** Reads a user agent; the few thousand strings that make up nearly all traffic are parsed once. */
export function agentOf(userAgent: string): Agent {
  const known = agents.get(userAgent);
  if (known) return known;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const deviceType = device.type ? DEVICE_TYPES[device.type] : os.name ? 'Desktop' : undefined;
  const isPreview = PREVIEW.test(userAgent);
  const agent = {
    browser: browser.name ?? UNKNOWN,
    os: os.name ?? UNKNOWN,
    deviceType: deviceType ?? UNKNOWN,
    isBot: isPreview || (isbot(userAgent) && !HAND_TOOL.test(userAgent)),
    isPreview,
  };
  agents.set(userAgent, agent);
  return agent;
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
  if (!URL.canParse(referrer)) return UNKNOWN;
  const { hostname } = new URL(referrer);
  if (hostname === '' || hostname.length > MAX_HOST) return UNKNOWN;
  return hostname.replace(/^www\./, '');
}
