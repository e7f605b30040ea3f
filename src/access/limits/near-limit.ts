import type { LimitReached } from '../access.errors';

/** How many more the limit allows, and the error for further ones. */
export interface Room {
  count: number;
  readonly refusal: LimitReached;
}

/** More than concurrent requests can create together: with more room than this, creations need no lock. */
const NEAR = 100_000;

/** Whether creations must run one after the other. @param left how many more the limit allows */
export function isNearLimit(left: number): boolean {
  return left <= NEAR;
}
