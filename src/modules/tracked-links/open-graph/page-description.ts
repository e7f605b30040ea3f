import { Parser } from 'htmlparser2';

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

/** Elements whose content says nothing about the page. */
const OTHERS = new Set(['noscript', 'template', 'svg', 'iframe', 'noembed', 'xmp', 'textarea']);
const ICONS = ['icon', 'apple-touch-icon'];
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
  let isOver = false;
  let others = 0;
  let title: string | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (OTHERS.has(name)) others++;
      isOver ||= name === 'body';
      if (isOver || others > 0) return;
      if (name === 'title') title = '';
      else readTag(head, name, attributes);
    },
    ontext(text) {
      if (title !== null) title += text;
    },
    onclosetag(name) {
      if (OTHERS.has(name)) others--;
      isOver ||= name === 'head';
      if (name !== 'title' || title === null) return;
      head.title ??= clean(title);
      title = null;
    },
  });
  parser.end(html);
  return head;
}

function readTag(head: Head, name: string, attributes: Record<string, string>): void {
  const { href = '', rel = '', content = '' } = attributes;
  if (name === 'base') head.base ??= clean(href);
  if (
    name === 'link' &&
    rel
      .toLowerCase()
      .split(/\s+/)
      .some((kind) => ICONS.includes(kind))
  ) {
    head.icon ??= clean(href);
  }
  if (name !== 'meta') return;
  const property = (attributes.property ?? attributes.name ?? '').toLowerCase().trim();
  const value = clean(content);
  if (property !== '' && value !== null && !head.metas.has(property)) head.metas.set(property, value);
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
