import type { FailureReason } from '../../sessions/funnel';
import type { Device } from './device';
import {
  compareScores,
  confidenceOf,
  couldBeSame,
  languagesMatch,
  isClose,
  isConfident,
  type Score,
  scoreOf,
} from './fingerprint-score';

/** An unmatched click whose page has reported its device. */
export interface Candidate {
  /** Identifies the visitor: clicks with different values are from different people. */
  visitor: string;
  /** Milliseconds since the epoch. */
  clickedAt: number;
  device: Device;
}

export type Choice<T extends Candidate> =
  | { candidate: T; confidence: number }
  | { reason: Extract<FailureReason, 'NO_CANDIDATE' | 'LOW_CONFIDENCE' | 'AMBIGUOUS'> };

interface Scored<T> {
  candidate: T;
  score: Score;
}

/**
 * Chooses the click that led to an app's first start (docs/concepts/deep-links.md#matching-a-first-start). A wrong
 * match is worse than none, so if several visitors share an IP address, all others must be ruled out.
 * @param candidates open clicks for the same app from the same IP address, in any order
 */
export function chooseClick<T extends Candidate>(candidates: readonly T[], app: Device): Choice<T> {
  const [best, ...others] = newestOfEach(candidates)
    .map((candidate): Scored<T> => ({ candidate, score: scoreOf(candidate.device, app) }))
    .sort((a, b) => compareScores(a.score, b.score));
  if (!best) return { reason: 'NO_CANDIDATE' };
  if (!isConfident(best.score)) return { reason: 'LOW_CONFIDENCE' };
  if (others.some((other) => isClose(best.score, other.score) || rivals(other, app)))
    return { reason: 'AMBIGUOUS' };
  if (others.length > 0 && !couldBeSame(best.candidate.device, app)) return { reason: 'LOW_CONFIDENCE' };
  return { candidate: best.candidate, confidence: confidenceOf(best.score) };
}

/** Whether a candidate with a lower score could still be the device, because its page reported less. */
function rivals<T extends Candidate>({ candidate: { device }, score }: Scored<T>, app: Device): boolean {
  const says = isConfident(score) || (device.screen !== null && app.screen !== null);
  return says && couldBeSame(device, app) && languagesMatch(device, app);
}

/** The latest click of each visitor, which replaces earlier ones. */
function newestOfEach<T extends Candidate>(candidates: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const candidate of candidates) {
    const known = newest.get(candidate.visitor);
    if (!known || candidate.clickedAt > known.clickedAt) newest.set(candidate.visitor, candidate);
  }
  return [...newest.values()];
}
