import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Response } from 'express';
import type { Channel } from '../../common/phone/channel-value';

const eta = new Eta({ views: join(__dirname, 'pages'), autoEscape: true, cache: true });

/** What a page says and asks. */
export interface OptOutPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** What went wrong, where the person can do something about it. */
  readonly problem?: string;
  /** The form that opts out; `ask` is what the person has to type. */
  readonly confirm?: { readonly ask: Channel | null };
  /** What the form that takes it back sends. */
  readonly undo?: string | null;
  readonly headers?: Record<string, string>;
}

/** Sends a page that needs no script, and may have none. */
export function sendOptOutPage(response: Response, page: OptOutPage): void {
  const nonce = randomBytes(16).toString('base64');
  const { problem = null, confirm = null, undo = null } = page;
  const { title, text } = page;
  const html = eta.render('./opt-out', { title, text, problem, confirm, undo, nonce });
  response
    .status(page.status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      ...page.headers,
    })
    .send(html);
}

/** A value that its owner knows again, and nobody else can use: `+82•••••••78`, `k••@s•••.example`. */
export function masked(value: string): string {
  const at = value.lastIndexOf('@');
  if (at === -1) return `${value.slice(0, 3)}${'•'.repeat(Math.max(0, value.length - 5))}${value.slice(-2)}`;
  const [first = ''] = value;
  const domain = value.slice(at + 1);
  const dot = domain.indexOf('.');
  return `${first}•••@${domain.slice(0, 1)}•••${domain.slice(dot)}`;
}
