import { headerUrl } from './header-url';

/** Characters that change how the text around them reads: controls, line breaks, marks of direction, fillers. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u061c\u115f\u1160\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]+/gu;

/** A customer's text as people may be shown it; null when nothing is left. @param max code points */
export function shownText(text: string | null | undefined, max = 300): string | null {
  const clean = (text ?? '').toWellFormed().replace(UNSEEN, ' ').trim();
  const points = Array.from(clean);
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : clean || null;
}

/** An address of the web as a page links to it and as people read it. */
export interface ShownAddress {
  href: string;
  /** In ASCII (`xn--…`), so that it can't look like another. */
  host: string;
  /** The whole address, shortened in the middle; in ASCII too. */
  shown: string;
}

const MAX_SHOWN = 80;

/** @returns null for what is no address of the web, such as `javascript:` */
export function shownAddress(text: string): ShownAddress | null {
  const href = webAddress(text);
  if (href === null) return null;
  const url = new URL(href);
  return { href, host: url.host.replace(/^www\./, ''), shown: shortened(url.href) };
}

/** The address when it is one of the web, else null: what stands in a page's links is checked where it is used. */
export function webAddress(text: string | null | undefined): string | null {
  if (!text) return null;
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? headerUrl(text) : null;
}

/** A host may hold `;` and `,`, with which it would write directives of its own into a page's policy. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** A picture that pages may show: https only, as `img-src` is; null for anything else. */
export function pictureAddress(text: string | null | undefined): string | null {
  const address = webAddress(text);
  return address !== null && PLAIN_ORIGIN.test(new URL(address).origin) ? address : null;
}

/** The start and the end, which is where addresses differ. */
function shortened(text: string): string {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN - 20)}…${text.slice(-19)}`;
}
