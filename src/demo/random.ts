/** Random numbers (mulberry32) that are the same in every run. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer in [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }
}

/** Picks items in proportion to their weights. */
export class Weighted<T> {
  private readonly items: readonly T[];
  private readonly ends: Float64Array;

  constructor(entries: readonly (readonly [weight: number, item: T])[]) {
    this.items = entries.map(([, item]) => item);
    let end = 0;
    this.ends = Float64Array.from(entries, ([weight]) => (end += weight));
  }

  /** The sum of all weights. */
  get total(): number {
    return this.ends.at(-1) ?? 0;
  }

  pick(random: Random): T {
    const at = random.next() * this.total;
    let [low, high] = [0, this.ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ends[middle] ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    const item = this.items[low];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  }
}
