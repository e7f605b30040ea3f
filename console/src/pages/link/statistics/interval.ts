/** z-score of a 95 % confidence level. */
const Z = 1.96;

/** Wilson score interval of a rate, as shares from 0 to 1; also valid for small numbers. */
export function confidenceInterval(hits: number, of: number): [low: number, high: number] {
  if (of === 0) return [0, 1];
  const rate = hits / of;
  const spread = Z * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2));
  const middle = rate + Z ** 2 / (2 * of);
  const scale = 1 + Z ** 2 / of;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
