const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Percentage with one decimal; 0 if the whole is 0. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;
}

/** Average with one decimal; 0 if the count is 0. */
export function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((sum / count) * 10) / 10;
}

/** English name of a country. @param code ISO 3166-1 alpha-2 */
export function countryName(code: string): string {
  return countryNames.of(code) ?? code;
}
