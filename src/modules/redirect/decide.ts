import type { Target } from './target';

/** How a link or campaign answers (4-decisions §6, "Decision order"). */
export type Decision = 'NOT_FOUND' | 'EXPIRED' | 'REDIRECT';

/** Decides on nothing but its arguments. @param now milliseconds since the epoch */
export function decide(target: Target | null, now: number): Decision {
  if (!target) return 'NOT_FOUND';
  if (target.expiresAt !== null && target.expiresAt <= now) return 'EXPIRED';
  return 'REDIRECT';
}
