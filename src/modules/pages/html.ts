import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { PageBrand } from './brand';
import { languageOf } from './language';
import type { MessageName } from './texts/texts';

/** Root folder of the templates, which are stored beside the code that uses them. */
const MODULES = join(__dirname, '..');
const eta = new Eta({ views: MODULES, autoEscape: true, cache: true });

/** A page and what its Content-Security-Policy allows. */
export interface Html {
  status: number;
  /** Path of the `.eta` file below `src/modules`, without its extension. */
  template: string;
  /** Data of the template, which escapes it; `say` (the texts), `lang`, `brand` and `nonce` are added. */
  data: object;
  script?: boolean;
  /** URLs of its images, from `pictureAddress`; null entries are ignored. The brand's logo is added. */
  images?: readonly (string | null)[];
  /** The origin its script connects to, or `'self'`. */
  connect?: string;
  /** Target of its form: `here` is its own address only, `onward` includes redirects from there. */
  form?: 'here' | 'onward';
  headers?: Record<string, string> | undefined;
}

export function messagePage(status: number, message: MessageName, headers?: Record<string, string>): Html {
  return { status, template: 'pages/layout/message', data: { message }, headers };
}

/** Sends a page with a strict Content-Security-Policy. A HEAD request gets the headers only. */
export function sendHtml(response: ServerResponse, page: Html, brand: PageBrand): void {
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

function policy({ script, images = [], connect, form }: Html, { logo }: PageBrand, nonce: string): string {
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

/** Chromium applies form-action to redirects after a form as well, and links redirect to any website. */
function formAction(form: Html['form']): string {
  if (form === undefined) return `'none'`;
  return form === 'here' ? `'self'` : `'self' https: http:`;
}
