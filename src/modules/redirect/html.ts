import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Eta } from 'eta';

const eta = new Eta({ views: join(__dirname, 'pages'), autoEscape: true, cache: true });

/** A page and what a browser may do on it. */
export interface Html {
  status: number;
  /** One of `pages/*.eta`. */
  template: 'message' | 'preview' | 'ad' | 'app' | 'password';
  /** What the template shows; escaped there. */
  data: object;
  /** Whether it has a script. */
  script?: boolean;
  /** The pictures that it shows, by `pictureAddress`; null where there is none. */
  images?: readonly (string | null)[];
  /** The origin that its script talks to, or `'self'`. */
  connect?: string;
  /** Whether it has a form, which is answered by its own address and leads on from there. */
  form?: boolean;
  headers?: Record<string, string> | undefined;
}

/** Sends a page with a strict content security policy; HEAD gets its headers alone. */
export function sendHtml(response: ServerResponse, head: boolean, page: Html): void {
  const nonce = randomBytes(16).toString('base64');
  const html = eta.render(`./${page.template}`, { ...page.data, nonce });
  response.writeHead(page.status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': policy(page, nonce),
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...page.headers,
  });
  response.end(head ? undefined : html);
}

function policy({ script, images = [], connect, form }: Html, nonce: string): string {
  const sources = new Set(images.filter((image) => image !== null).map((image) => new URL(image).origin));
  return [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`] : []),
    ...(sources.size > 0 ? [`img-src ${[...sources].join(' ')}`] : []),
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    `base-uri 'none'`,
    // Chromium holds redirects after a form to this, too: links lead to https.
    `form-action ${form ? `'self' https:` : `'none'`}`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
