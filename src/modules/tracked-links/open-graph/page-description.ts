import { decodeEntities } from './html-entities';

/** What a page declares about itself, untruncated. */
export interface PageDescription {
  title: string | null;
  description: string | null;
  /** Absolute URL, of any scheme. */
  image: string | null;
  siteName: string | null;
  /** Absolute URL, of any scheme. */
  icon: string | null;
}

/** Elements whose content is not parsed as markup. */
const RAW = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'noembed',
  'xmp',
  'textarea',
]);
const CHARSET_BYTES = 4_096;

/**
 * Reads `<title>`, `og:*` and the description in a page's head. Accepts any input, in linear time.
 * @param bytes the page or its beginning
 * @param url of the page, the base of relative URLs
 */
export function describePage(
  bytes: Uint8Array,
  contentType: string | undefined,
  url: string,
): PageDescription {
  const { metas, title, icon, base } = readHead(decode(bytes, contentType ?? ''));
  const root = absolute(base, url) ?? url;
  const text = (...names: string[]) => names.map((name) => metas.get(name)).find(Boolean) ?? null;
  return {
    title: text('og:title', 'twitter:title') ?? title,
    description: text('og:description', 'twitter:description', 'description'),
    image: absolute(
      text('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      root,
    ),
    siteName: text('og:site_name', 'application-name'),
    icon: absolute(icon, root),
  };
}

interface Head {
  /** First content of each property or name, by name in lower case. */
  metas: Map<string, string>;
  title: string | null;
  /** First `href` of an icon. */
  icon: string | null;
  base: string | null;
}

function readHead(html: string): Head {
  const head: Head = { metas: new Map(), title: null, icon: null, base: null };
  // ASCII only, because lower-casing other letters may change the length.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOf(html, '-->', at + 4);
      continue;
    }
    const [, closing, name = ''] = TAG_NAME.exec(lower.slice(at, at + 24)) ?? [];
    const end = name === '' ? at + 1 : tagEnd(html, at + 1);
    const isHeadOver = closing ? name === 'head' : name === 'body';
    if (isHeadOver) break;
    if (!closing && (name === 'meta' || name === 'base' || name === 'link'))
      readTag(head, name, html.slice(at, Math.min(end, at + MAX_TAG)));
    at = end;
    if (closing || (name !== 'title' && !RAW.has(name))) continue;
    const close = lower.indexOf(`</${name}`, end);
    const stop = close === -1 ? html.length : close;
    if (name === 'title') head.title ??= clean(decodeEntities(html.slice(end, stop)));
    at = stop;
  }
  return head;
}

const TAG_NAME = /^<(\/?)([a-z][a-z0-9]*)/;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
const MAX_TAG = 16_384;
const ICONS = ['icon', 'apple-touch-icon'];

/** Index after the tag's closing `>`, ignoring those in quoted values. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < Math.min(html.length, from + MAX_TAG); at++) {
    const character = html.charAt(at);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at + 1;
  }
  // The tag is unterminated or too long, so parsing continues after the first `>`.
  return endOf(html, '>', from);
}

function endOf(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

function readTag(head: Head, name: string, tag: string): void {
  const attributes = new Map<string, string>();
  for (const [, key = '', ...values] of tag.slice(5).matchAll(ATTRIBUTE)) {
    const value = values.find(Boolean) ?? '';
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
  }
  if (name === 'base') {
    head.base ??= clean(decodeEntities(attributes.get('href') ?? ''));
    return;
  }
  if (name === 'link') {
    const kinds = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    if (ICONS.some((kind) => kinds.includes(kind))) {
      head.icon ??= clean(decodeEntities(attributes.get('href') ?? ''));
    }
    return;
  }
  const property = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase().trim();
  const content = clean(decodeEntities(attributes.get('content') ?? ''));
  if (property !== '' && content !== null && !head.metas.has(property)) head.metas.set(property, content);
}

/** Removes control characters and collapses white space. @returns null if nothing is left */
function clean(text: string): string | null {
  return (
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim() || null
  );
}

function absolute(address: string | null, base: string): string | null {
  return address === null ? null : (URL.parse(address, base)?.href ?? null);
}

/** Precedence of encodings: byte order mark, header, `<meta>`. */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, CHARSET_BYTES)).toString('latin1');
  const inPage = charsetIn(withoutComments(start));
  // A `<meta>` that is readable as ASCII cannot be in a page in UTF-16, whatever it declares.
  const declared = charsetIn(contentType) ?? (inPage && /^utf-?16/i.test(inPage) ? null : inPage);
  const marked = start.startsWith('\u00ff\u00fe')
    ? 'utf-16le'
    : start.startsWith('\u00fe\u00ff')
      ? 'utf-16be'
      : null;
  for (const label of [start.startsWith('\u00ef\u00bb\u00bf') ? 'utf-8' : null, marked, declared]) {
    if (label === null) continue;
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      // The declared encoding is unknown.
    }
  }
  return new TextDecoder().decode(bytes);
}

function withoutComments(html: string): string {
  const [first = '', ...rest] = html.split('<!--');
  return first + rest.map((text) => text.split('-->').slice(1).join('-->')).join('');
}

function charsetIn(text: string): string | null {
  return /charset\s{0,9}=[\s"']{0,9}([\w.:-]{2,40})/i.exec(text)?.[1] ?? null;
}
