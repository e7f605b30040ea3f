import type { FailureReason } from '../../sessions/funnel';
import type { Device } from './device';
import {
  compareScores,
  confidenceOf,
  couldBeSame,
  couldSpeakAlike,
  isClose,
  isConfident,
  type Score,
  scoreOf,
} from './fingerprint-score';

/** A click whose page has told of its device, and that no app has been matched with yet. */
export interface Candidate {
  /** Who clicked, as far as pages can tell: clicks that differ in it are of different visitors. */
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
 * The click that led to an app's first start (docs/concepts/deep-links.md#matching-a-first-start). A wrong one is worse
 * than none: where several visitors share the address, it also has to be the only one that could be.
 * @param candidates open clicks of the same app from the same address, in any order
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

/** Whether nothing speaks against it, though it scores lower: its page just knew less. */
function rivals<T extends Candidate>({ candidate: { device }, score }: Scored<T>, app: Device): boolean {
  const says = isConfident(score) || (device.screen !== null && app.screen !== null);
  return says && couldBeSame(device, app) && couldSpeakAlike(device, app);
}

/** Somebody who clicked again wants what he clicked last. */
function newestOfEach<T extends Candidate>(candidates: readonly T[]): T[] {
  const newest = new Map<string, T>();
  for (const candidate of candidates) {
    const known = newest.get(candidate.visitor);
    if (!known || candidate.clickedAt > known.clickedAt) newest.set(candidate.visitor, candidate);
  }
  return [...newest.values()];
}
