import type { Type } from '@nestjs/common';
import type { Caller } from '../access/caller';
import { DomainError } from '../common/errors/domain-error';
import type { DemoClock } from './demo-clock';

export const DAY_MS = 86_400_000;
export const DAYS = 90;
/** The first page of a list, which has all that the demo makes. */
export const ALL = { page: 0, size: 100 };

/** What every part of the filling needs. */
export interface Demo {
  readonly caller: Caller;
  readonly clock: DemoClock;
  /** The first day of the data and its end, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Clicks to count; the number of contacts and sessions follows from it. */
  readonly clicks: number;
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
  /** A service of the application. */
  readonly get: <T>(service: Type<T>) => T;
}

/** A moment on a day of the data, from 0; never in the future. */
export function momentOf({ from, to }: Pick<Demo, 'from' | 'to'>, day: number): number {
  return Math.min(from + day * DAY_MS, to - 1);
}

/** Ignores a conflict: an earlier run has made it, or another organization has a name that exists once. */
export async function orTaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.status === 409) return null;
    throw error;
  }
}
