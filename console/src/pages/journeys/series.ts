import { plusDays } from '../../plots/range';
import type { Point } from '../../plots/types';

/** A point for every period of a range; those that the API omits are 0. */
export function everyPeriod(known: readonly Point[], first: string, last: string, stepDays: 1 | 7): Point[] {
  const values = new Map(known.map(({ start, value }) => [start, value]));
  const points: Point[] = [];
  for (let start = first; start !== '' && start <= last; start = plusDays(start, stepDays)) {
    points.push({ start, value: values.get(start) ?? 0 });
  }
  return points;
}
