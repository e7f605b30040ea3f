/** Sums of one metric over a range. */
export interface ClickSums {
  /** By day, `YYYY-MM-DD`; days without any are left out. */
  days: Map<string, number>;
  /** By the start of the hour, in milliseconds since the epoch; empty unless asked for. */
  hours: Map<number, number>;
  /** By value of the dimension, as far as asked for. */
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

/** What stored sums are added to. */
export interface StoredPart {
  /** The metric by day, of all days of the range that have stored sums. */
  totals: ReadonlyMap<string, number>;
  /** Sums of the other days, from the clicks. */
  raw: ClickSums;
}

/** Periods whose sums make up those of a range: whole months, and the days of all others. */
export interface Periods {
  months: readonly string[];
  days: readonly string[];
}
