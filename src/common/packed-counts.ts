/** How often each of some numbers was counted, as bytes: pairs of number and count, 32 bits each, little-endian. */
export function packCounts(counts: ReadonlyMap<number, number>): Buffer {
  const bytes = Buffer.allocUnsafe(counts.size * 8);
  let offset = 0;
  for (const [number, count] of counts) {
    bytes.writeUInt32LE(number, offset);
    bytes.writeUInt32LE(count, offset + 4);
    offset += 8;
  }
  return bytes;
}

/** What `packCounts` packed. */
export function* unpackCounts(bytes: Buffer): Generator<[number: number, count: number]> {
  for (let offset = 0; offset < bytes.length; offset += 8) {
    yield [bytes.readUInt32LE(offset), bytes.readUInt32LE(offset + 4)];
  }
}

const MAX_TALLIED = 1_000_000;

/** Counts by number, from 0 up without large gaps; grows as it is added to. */
export class CountArray {
  private counts = new Float64Array(1024);
  /** The highest number that was added, and one. */
  private end = 0;

  get length(): number {
    return this.end;
  }

  at(number: number): number {
    return this.counts[number] ?? 0;
  }

  add(number: number, count: number): void {
    if (number >= this.end) this.reserve(number + 1);
    this.counts[number] = (this.counts[number] ?? 0) + count;
  }

  /** Adds what `packCounts` packed, `times` over. */
  addPacked(bytes: Buffer, times = 1): void {
    for (let offset = 0; offset < bytes.length; offset += 8) {
      this.add(bytes.readUInt32LE(offset), times * bytes.readUInt32LE(offset + 4));
    }
  }

  /** Adds what `toBytes` wrote, `times` over. */
  addArray(bytes: Buffer, times = 1): void {
    const numbers = bytes.length / 4;
    this.reserve(numbers);
    const { counts } = this;
    for (let number = 0; number < numbers; number++) {
      counts[number] = (counts[number] ?? 0) + times * bytes.readUInt32LE(number * 4);
    }
  }

  /** Every count by its number, 32 bits each, little-endian. */
  toBytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.end * 4);
    for (let number = 0; number < this.end; number++) bytes.writeUInt32LE(this.at(number), number * 4);
    return bytes;
  }

  /** Numbers with the highest counts, most first; of equal ones the lower number first. Zeros are left out. */
  top(limit: number): number[] {
    const least = this.leastOfTop(limit);
    const above: number[] = [];
    const equal: number[] = [];
    for (let number = 0; number < this.end; number++) {
      const count = this.at(number);
      if (count > least) above.push(number);
      else if (count === least && equal.length < limit) equal.push(number);
    }
    above.sort((a, b) => this.at(b) - this.at(a) || a - b);
    return [...above, ...equal].slice(0, limit);
  }

  /** The count of the last of the top ones, at least 1. */
  private leastOfTop(limit: number): number {
    const counts = this.counts.subarray(0, this.end);
    const highest = counts.reduce((max, count) => Math.max(max, count), 0);
    if (highest > MAX_TALLIED) return Math.max(counts.toSorted().at(-limit) ?? 0, 1);
    // How many have each count: many times faster than sorting them.
    const tally = new Uint32Array(highest + 1);
    for (const count of counts) if (count > 0) tally[count] = (tally[count] ?? 0) + 1;
    let least = highest + 1;
    for (let missing = limit; missing > 0 && least > 1; missing -= tally[least] ?? 0) least--;
    return Math.max(least, 1);
  }

  private reserve(end: number): void {
    if (end > this.counts.length) {
      const larger = new Float64Array(Math.max(end, this.counts.length * 2));
      larger.set(this.counts);
      this.counts = larger;
    }
    this.end = Math.max(this.end, end);
  }
}
