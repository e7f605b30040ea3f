import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { ShownBrand } from './brand';
import { languageOf } from './language';
import type { MessageName } from './texts/texts';

/** Templates lie beside the code that fills them in, and share the layout. */
const MODULES = join(__dirname, '..');
const eta = new Eta({ views: MODULES, autoEscape: true, cache: true });

/** A page and what a browser may do on it. */
export interface Html {
  status: number;
  /** Path of the `.eta` file below `src/modules`, without its ending. */
  template: string;
  /** What the template shows, escaped there, beside `say` (the texts), `lang`, `brand` and `nonce`. */
  data: object;
  /** Whether it has a script. */
  script?: boolean;
  /** The pictures that it shows, by `pictureAddress`; null where there is none. The brand's logo needs no mention. */
  images?: readonly (string | null)[];
  /** The origin that its script talks to, or `'self'`. */
  connect?: string;
  /** Whether it has a form: answered by its own address, and whether it leads on from there. */
  form?: 'here' | 'onward';
  headers?: Record<string, string> | undefined;
}

/** A page that says one thing. */
export function messagePage(status: number, message: MessageName, headers?: Record<string, string>): Html {
  return { status, template: 'pages/layout/message', data: { message }, headers };
}

/** Sends a page with a strict content security policy; HEAD gets its headers alone. */
export function sendHtml(response: ServerResponse, page: Html, brand: ShownBrand): void {
  const { method, headers } = response.req;
  const language = languageOf(headers['accept-language']);
  const nonce = randomBytes(16).toString('base64');
  const html = eta.render(`./${page.template}`, {
    ...page.data,
    say: language.texts,
    lang: language.tag,
    brand,
    nonce,
  });
  response.writeHead(page.status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Content-Language': language.tag,
    Vary: 'Accept-Language',
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': policy(page, brand, nonce),
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...page.headers,
  });
  response.end(method === 'HEAD' ? undefined : html);
}

function policy({ script, images = [], connect, form }: Html, { logo }: ShownBrand, nonce: string): string {
  const shown = [logo, ...images].filter((image) => image !== null);
  const sources = new Set(shown.map((image) => new URL(image).origin));
  return [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`] : []),
    ...(sources.size > 0 ? [`img-src ${[...sources].join(' ')}`] : []),
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    `form-action ${formAction(form)}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** Chromium holds redirects after a form to this, too: links lead to https. */
function formAction(form: Html['form']): string {
  if (form === undefined) return `'none'`;
  return form === 'here' ? `'self'` : `'self' https:`;
}
