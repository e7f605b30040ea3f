/** Sums of one metric over a range. */
export interface ClickSums {
  /** By day, `YYYY-MM-DD`; days without clicks are omitted. */
  days: Map<string, number>;
  /** By start of the hour, in milliseconds since the epoch; empty unless requested. */
  hours: Map<number, number>;
  /** By value of the dimension, as far as requested. */
  values: Map<string, number>;
  /** Sum over all values, whether or not they are in `values`. */
  allValues: number;
}

export function noSums(): ClickSums {
  return { days: new Map(), hours: new Map(), values: new Map(), allValues: 0 };
}

export function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

export interface StoredPart {
  /** The metric by day, for the days with stored sums. */
  totals: ReadonlyMap<string, number>;
  /** Sums of the other days, read from the clicks. */
  raw: ClickSums;
}

/** Periods whose sums add up to a range: whole months, and the days of all other months. */
export interface Periods {
  months: readonly string[];
  days: readonly string[];
}
