import type { Type } from '@nestjs/common';
import type { Caller } from '../access/caller';
import { DomainError } from '../common/errors/domain-error';
import type { DemoClock } from './demo-clock';

export const DAY_MS = 86_400_000;
export const DAYS = 90;
/** The first page of a list, which is large enough for everything in the demo. */
export const ALL = { page: 0, size: 100 };

export interface Demo {
  readonly caller: Caller;
  readonly clock: DemoClock;
  /** The start of the first day and the end of the data, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Number of clicks, from which those of contacts and sessions follow. */
  readonly clicks: number;
  readonly stopping: AbortSignal;
  readonly say: (line: string) => void;
  readonly get: <T>(service: Type<T>) => T;
}

/** A time on a day of the data, counted from 0; never in the future. */
export function momentOf({ from, to }: Pick<Demo, 'from' | 'to'>, day: number): number {
  return Math.min(from + day * DAY_MS, to - 1);
}

/** Ignores conflicts: an earlier run has created it, or another organization has a globally unique name. */
export async function orTaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.status === 409) return null;
    throw error;
  }
}
