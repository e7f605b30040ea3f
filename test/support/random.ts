export type Random = () => number;

/** Mulberry32, a seeded pseudo-random generator. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

export function pick<T>(random: Random, choices: Weighted<T>): T {
  let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of choices) if ((left -= weight) < 0) return value;
  return (choices[choices.length - 1] as readonly [number, T])[1];
}
