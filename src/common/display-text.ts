import { headerUrl } from './header-url';

/**
 * Characters that change how the surrounding text is shown: control characters, line breaks, direction marks, fillers.
 */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]+/gu;

/** A customer's text that is safe to display; null if nothing is left. @param max code points */
export function displayText(text: string | null | undefined, max = 300): string | null {
  const clean = (text ?? '').toWellFormed().replace(UNSEEN, ' ').trim();
  const points = Array.from(clean);
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : clean || null;
}

/** A web address for display, and as a link target. */
export interface DisplayAddress {
  href: string;
  /** Host in ASCII (`xn--…`), so that it cannot imitate another one. */
  host: string;
  /** The whole address in ASCII, with the middle elided if it is long. */
  shown: string;
}

const MAX_DISPLAY = 80;

/** @returns null if it is not a web address, such as `javascript:` */
export function displayAddress(text: string): DisplayAddress | null {
  const href = webAddress(text);
  if (href === null) return null;
  const url = new URL(href);
  return { href, host: url.host.replace(/^www\./, ''), shown: shortened(url.href) };
}

/** The address if it is a web address, else null. For links of a page, which are checked when it is rendered. */
export function webAddress(text: string | null | undefined): string | null {
  if (!text) return null;
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? headerUrl(text) : null;
}

/**
 * A URL host may contain `;` and `,`, which would inject directives into a page's Content-Security-Policy.
 */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** The URL of an image for pages; null unless it is https, which `img-src` requires. */
export function pictureAddress(text: string | null | undefined): string | null {
  const address = webAddress(text);
  return address !== null && PLAIN_ORIGIN.test(new URL(address).origin) ? address : null;
}

/** Elides the middle, because addresses differ at the start and the end. */
function shortened(text: string): string {
  if (text.length <= MAX_DISPLAY) return text;
  return `${text.slice(0, MAX_DISPLAY - 20)}…${text.slice(-19)}`;
}
