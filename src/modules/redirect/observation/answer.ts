import type { TracedAnswer } from '../decision';
import type { RequestHead } from '../redirect-request';
import type { CachedTrackedLink } from '../../tracked-links/tracked-link-cache';

/** Kinds of responses to requests on short domains (docs/operations.md#metrics-and-logs). */
export const ANSWERS = [
  'redirect',
  'app',
  'page',
  'closed',
  'not_found',
  'gate',
  'unavailable',
  'other',
] as const;
export type Answer = (typeof ANSWERS)[number];

export const ANSWER_OF: Readonly<Record<TracedAnswer, Answer>> = {
  REDIRECT: 'redirect',
  STORE: 'redirect',
  APP: 'app',
  AD: 'page',
  PREVIEW: 'page',
  PASSWORD: 'gate',
  NOT_FOUND: 'not_found',
  DISABLED: 'closed',
  NOT_STARTED: 'closed',
  EXPIRED: 'closed',
  USED_UP: 'closed',
};

export interface Observed {
  readonly request: RequestHead;
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Host name of a known short domain; null for any other. */
  host: string | null;
  trackedLink: CachedTrackedLink | null;
  answer: Answer;
}

export function observedOf(request: RequestHead, startedAt: number): Observed {
  return { request, startedAt, host: null, trackedLink: null, answer: 'other' };
}
