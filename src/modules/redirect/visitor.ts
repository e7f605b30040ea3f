import { BoundedCache } from '../../common/bounded-cache';
import { agentOf, readPart } from '../clicks/user-agent';

/** Who asks for a link, as far as answers differ. */
export interface Visitor {
  /** A crawler that shows a preview of the link where it was posted. */
  isPreview: boolean;
  /** Any other program. */
  isBot: boolean;
  /**
   * Whose apps the browser could open. An iPad that asks for desktop pages says that it is a Macintosh, and an Android
   * phone in desktop mode that it is Linux: no server can tell, and they are answered like desktops.
   */
  platform: 'iOS' | 'Android' | null;
  /** A browser inside of an app, which may refuse to open another app by itself. */
  inApp: boolean;
}

/** Facebook, Instagram, Threads, KakaoTalk, KakaoStory, LINE, NAVER, Daum, TikTok, X, LinkedIn, WeChat, Snapchat, Pinterest, and Android's web view. */
const IN_APP =
  /\bFBA[NV]\b|FB_IAB|Instagram|Barcelona|KAKAOTALK|KAKAOSTORY|\bLine\/|NAVER\(inapp|DaumApps|TikTok|musical_ly|Bytedance|Twitter|LinkedInApp|MicroMessenger|Snapchat|\[Pinterest\/|; wv\)/i;

const visitors = new BoundedCache<string, Visitor>(20_000);

/** Reads a user agent; the few thousand strings that make up nearly all traffic are read once. */
export function visitorOf(said: string): Visitor {
  const userAgent = readPart(said);
  const known = visitors.get(userAgent);
  if (known) return known;
  const { isPreview, isBot, os, deviceType } = agentOf(userAgent);
  // A television runs Android, and has no store that a link opens.
  const platform = deviceType === 'Mobile' || deviceType === 'Tablet' ? platformOf(os) : null;
  const visitor = { isPreview, isBot, platform, inApp: IN_APP.test(userAgent) || isWebView(userAgent) };
  visitors.set(userAgent, visitor);
  return visitor;
}

function platformOf(os: string): Visitor['platform'] {
  return os === 'iOS' || os === 'Android' ? os : null;
}

/** Browsers on iOS name Safari, a web view in an app does not. */
function isWebView(userAgent: string): boolean {
  return /\((?:iPhone|iPad|iPod)/.test(userAgent) && !userAgent.includes('Safari/');
}
