/** How an opening of the app identifies its link. */
export type Lead =
  | { by: 'token'; token: string }
  | { by: 'link'; code: string; scanned: boolean }
  | { by: 'campaign'; alias: string; tracker: string | null; cid: string | null; scanned: boolean }
  /** The first start after an installation, which may have a referrer. */
  | { by: 'install' };

const WORD = /^[A-Za-z0-9_-]{1,50}$/;
/** Imported codes may have any characters. */
const MAX_CODE = 255;
const MAX_TEXT = 100;

/** The token in a query, such as an install referrer. */
export function tokenIn(query: string): string | null {
  return /(?:^|[?&])waypost_token=([\w-]{1,200})(?:[&#]|$)/.exec(query)?.[1] ?? null;
}

/**
 * Reads the address that opened the app. React Native's `URL` is incomplete, so this does without.
 * @returns null if it is not that of a link or campaign
 */
export function leadOf(url: string, linkHosts: readonly string[] | undefined): Lead | null {
  const token = tokenIn(url);
  if (token !== null) return { by: 'token', token };
  const [, host = '', path = '', query = ''] = /^https?:\/\/([^/?#]+)\/([^?#]*)\??([^#]*)/i.exec(url) ?? [];
  if (!path || (linkHosts && !linkHosts.includes(host.toLowerCase()))) return null;
  const parts = path.replace(/\/+$/, '').split('/').map(decoded);
  const scanned = /(?:^|&)qr=1(?:&|$)/.test(query);
  const at = parts[0] === 'c' ? 1 : parts[1] === 'c' ? 2 : 0;
  const alias = parts[at] ?? '';
  if (at > 0 && parts.length > at) {
    if (!isCode(alias) || parts.length > at + 2) return null;
    const tracker = textOf(parts[at + 1]);
    const cid = /(?:^|&)cid=([^&]*)/.exec(query)?.[1];
    return {
      by: 'campaign',
      alias,
      scanned,
      tracker,
      cid: textOf(cid === undefined ? cid : decoded(cid.replace(/\+/g, ' '))),
    };
  }
  const code = parts.at(-1) ?? '';
  if (parts.length > 2 || !isCode(code) || (parts.length > 1 && !WORD.test(parts[0] ?? ''))) return null;
  return { by: 'link', code: parts.join('/'), scanned };
}

function isCode(text: string): boolean {
  return text !== '' && text.length <= MAX_CODE && !text.includes('/');
}

function textOf(text: string | undefined): string | null {
  return text ? Array.from(text).slice(0, MAX_TEXT).join('') : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
