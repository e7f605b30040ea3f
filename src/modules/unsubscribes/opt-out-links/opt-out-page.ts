import type { Channel } from '../../../common/contact-values/channel-value';
import type { Html } from '../../pages/html';
import type { MessageTexts, Texts } from '../../pages/texts/texts';

interface OptOutPage {
  readonly status: number;
  readonly words: (say: Texts['optOut'], who: string) => MessageTexts;
  /** An error that the visitor can correct. */
  readonly problem?: (say: Texts['optOut']) => string;
  /** The form for opting out; `ask` is the channel whose value the visitor must enter. */
  readonly confirm?: { readonly ask: Channel | null };
  /** Token of the undo form. */
  readonly undo?: string | null;
}

/** Renders a page without scripts, which its Content-Security-Policy forbids. */
export function optOutPage({ status, words, problem, confirm, undo = null }: OptOutPage): Html {
  return {
    status,
    template: 'unsubscribes/pages/opt-out',
    data: { words, problem: problem ?? null, confirm: confirm ?? null, undo },
    form: 'here',
    headers: OPT_OUT_HEADERS,
  };
}

/** No referrer, because the URL of the page contains the token. */
export const OPT_OUT_HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** A masked value, which its owner recognizes but nobody else can use: `+82•••••••78`, `k••@s•••.example`. */
export function masked(value: string): string {
  const at = value.lastIndexOf('@');
  if (at === -1) return `${value.slice(0, 3)}${'•'.repeat(Math.max(0, value.length - 5))}${value.slice(-2)}`;
  const [first = ''] = value;
  const domain = value.slice(at + 1);
  const dot = domain.indexOf('.');
  return `${first}•••@${domain.slice(0, 1)}•••${domain.slice(dot)}`;
}
