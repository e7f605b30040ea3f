import type { Channel } from '../../../common/phone/channel-value';
import type { Html } from '../../pages/html';
import type { MessageTexts, Texts } from '../../pages/texts/texts';

/** What a page says and asks. */
interface OptOutPage {
  readonly status: number;
  readonly words: (say: Texts['optOut'], who: string) => MessageTexts;
  /** What went wrong, where the person can do something about it. */
  readonly problem?: (say: Texts['optOut']) => string;
  /** The form that opts out; `ask` is what the person has to type. */
  readonly confirm?: { readonly ask: Channel | null };
  /** What the form that takes it back sends. */
  readonly undo?: string | null;
}

/** A page that needs no script, and may have none. */
export function optOutPage({ status, words, problem, confirm, undo = null }: OptOutPage): Html {
  return {
    status,
    template: 'unsubscribes/pages/opt-out',
    data: { words, problem: problem ?? null, confirm: confirm ?? null, undo },
    form: 'here',
    headers: OPT_OUT_HEADERS,
  };
}

/** The address of the page holds the token. */
export const OPT_OUT_HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** A value that its owner knows again, and nobody else can use: `+82•••••••78`, `k••@s•••.example`. */
export function masked(value: string): string {
  const at = value.lastIndexOf('@');
  if (at === -1) return `${value.slice(0, 3)}${'•'.repeat(Math.max(0, value.length - 5))}${value.slice(-2)}`;
  const [first = ''] = value;
  const domain = value.slice(at + 1);
  const dot = domain.indexOf('.');
  return `${first}•••@${domain.slice(0, 1)}•••${domain.slice(dot)}`;
}
