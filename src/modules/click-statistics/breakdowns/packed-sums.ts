export type IdSum = readonly [id: number, sum: number];

/**
 * Sums by id, for hundreds of thousands of ids: an open-addressing hash table in typed arrays, several times as fast as
 * a Map.
 */
export class IdSums {
  private ids = new Float64Array(1024).fill(-1);
  private sums = new Float64Array(1024);
  private used = 0;

  add(id: number, sum: number): void {
    if (this.used * 2 > this.ids.length) this.grow();
    const index = this.indexOf(id);
    if (this.ids[index] === -1) {
      this.ids[index] = id;
      this.used++;
    }
    this.sums[index] = (this.sums[index] ?? 0) + sum;
  }

  get(id: number): number {
    return this.sums[this.indexOf(id)] ?? 0;
  }

  /** All pairs, in no particular order. */
  pairs(): IdSum[] {
    const { ids, sums } = this;
    const pairs: IdSum[] = [];
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] ?? -1;
      if (id !== -1) pairs.push([id, sums[index] ?? 0]);
    }
    return pairs;
  }

  private indexOf(id: number): number {
    const mask = this.ids.length - 1;
    let index = (Math.imul(id | 0, 0x9e_37_79_b1) >>> 7) & mask;
    while (this.ids[index] !== id && this.ids[index] !== -1) index = (index + 1) & mask;
    return index;
  }

  private grow(): void {
    const [ids, sums] = [this.ids, this.sums];
    this.ids = new Float64Array(ids.length * 4).fill(-1);
    this.sums = new Float64Array(ids.length * 4);
    this.used = 0;
    for (const [index, id] of ids.entries()) if (id !== -1) this.add(id, sums[index] ?? 0);
  }
}

/** Identifies a row of packed sums: it has the ids that leave the remainder `bucket` when divided by `buckets`. */
export interface Bucket {
  bucket: number;
  buckets: number;
}

/**
 * Encodes the sums of a bucket as variable-length integers of seven bits per byte: the sum of each id in order; a gap
 * between ids is a 0 and the number of missing ids.
 * @param sums by id, in ascending order
 */
export function packSums(sums: readonly IdSum[], { buckets }: Bucket): Buffer {
  const bytes: number[] = [];
  let next = 0;
  for (const [id, sum] of sums) {
    if (sum === 0) continue;
    const index = Math.floor(id / buckets);
    if (index > next) {
      bytes.push(0);
      pushNumber(bytes, index - next);
    }
    pushNumber(bytes, sum);
    next = index + 1;
  }
  return Buffer.from(bytes);
}

function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/** Adds the output of `packSums`. Written as one tight loop, because it dominates the cost of grouping by link. */
export function addPacked(sums: Pick<IdSums, 'add'>, bytes: Uint8Array, { bucket, buckets }: Bucket): void {
  let index = 0;
  let offset = 0;
  const { length } = bytes;
  const read = (): number => {
    let byte = bytes[offset++] ?? 0;
    if (byte < 128) return byte;
    let number = byte - 128;
    for (let unit = 128; ; unit *= 128) {
      byte = bytes[offset++] ?? 0;
      if (byte < 128) return number + byte * unit;
      number += (byte - 128) * unit;
    }
  };
  while (offset < length) {
    const sum = read();
    if (sum === 0) index += read();
    else sums.add(index++ * buckets + bucket, sum);
  }
}
