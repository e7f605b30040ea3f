/** An integer from 0 to `below` - 1. */
export const int = (below: number): number => Math.floor(Math.random() * below);

/** Like `int`, but small numbers are more frequent. */
export const skewed = (below: number): number => Math.floor(Math.random() ** 2 * below);

export const happens = (probability: number): boolean => Math.random() < probability;

/**
 * Picks an item; the first ones are the most frequent.
 * @param point in [0, 1); the same point picks the same item
 */
export function pick<T>(items: readonly T[], point = Math.random()): T {
  const item = items[Math.floor(point ** 2 * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}
