import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { UAParser } from 'ua-parser-js';

/** What a user agent says, as statistics name it. */
export interface Agent {
  browser: string;
  os: string;
  /** Mobile, Desktop or Tablet (doc 1 §2); Unknown where it doesn't say. */
  deviceType: string;
  isBot: boolean;
}

export const UNKNOWN = 'Unknown';
const DIRECT = 'Direct';

const DEVICE_TYPES: Partial<Record<string, string>> = { mobile: 'Mobile', tablet: 'Tablet' };

/** A person at a terminal, who tries a link out and looks for the click; isbot takes these for bots. */
const HAND_TOOL = /^(?:curl|Wget|HTTPie|PostmanRuntime|insomnia)\//i;

const agents = new LRUCache<string, Agent>({ max: 20_000 });

/** Reads a user agent; the few thousand strings that make up nearly all traffic are parsed once. */
export function agentOf(userAgent: string): Agent {
  const known = agents.get(userAgent);
  if (known) return known;
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const deviceType = device.type ? DEVICE_TYPES[device.type] : os.name ? 'Desktop' : undefined;
  const agent = {
    browser: browser.name ?? UNKNOWN,
    os: os.name ?? UNKNOWN,
    deviceType: deviceType ?? UNKNOWN,
    isBot: isbot(userAgent) && !HAND_TOOL.test(userAgent),
  };
  agents.set(userAgent, agent);
  return agent;
}

const MAX_HOST = 253;

/** The host that a visit came from, without `www.`; `Direct` when the browser names none. */
export function referrerHost(referrer: string | null): string {
  if (!referrer) return DIRECT;
  if (!URL.canParse(referrer)) return UNKNOWN;
  const { hostname } = new URL(referrer);
  if (hostname === '' || hostname.length > MAX_HOST) return UNKNOWN;
  return hostname.replace(/^www\./, '');
}
