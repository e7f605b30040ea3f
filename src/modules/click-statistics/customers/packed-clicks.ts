/** Number of clicks of a customer, and the time of the last one in seconds since the epoch. */
export interface Clicked {
  clicks: number;
  last: number;
}

const BYTES = 12;

/** Encodes clicks by customer number: number, clicks and last click, as 32-bit little-endian integers. */
export function packClicks(users: ReadonlyMap<number, Clicked>): Buffer {
  const bytes = Buffer.allocUnsafe(users.size * BYTES);
  let offset = 0;
  for (const [user, { clicks, last }] of users) {
    bytes.writeUInt32LE(user, offset);
    bytes.writeUInt32LE(clicks, offset + 4);
    bytes.writeUInt32LE(last, offset + 8);
    offset += BYTES;
  }
  return bytes;
}

/** Decodes the output of `packClicks`. */
export function* unpackClicks(bytes: Buffer): Generator<[user: number, clicked: Clicked]> {
  for (let offset = 0; offset < bytes.length; offset += BYTES) {
    const [clicks, last] = [bytes.readUInt32LE(offset + 4), bytes.readUInt32LE(offset + 8)];
    yield [bytes.readUInt32LE(offset), { clicks, last }];
  }
}

export function addClicks(users: Map<number, Clicked>, user: number, { clicks, last }: Clicked): void {
  const stored = users.get(user);
  if (!stored) users.set(user, { clicks, last });
  else {
    stored.clicks += clicks;
    stored.last = Math.max(stored.last, last);
  }
}

const MAX_TALLIED = 1_000_000;

/** A growing array of clicks, indexed by customer number, which has no large gaps. */
export class ClickArray {
  private clicks = new Float64Array(1024);
  private lasts = new Uint32Array(1024);
  /** Highest number that was added, plus one. */
  private end = 0;

  of(user: number): Clicked {
    return { clicks: this.clicks[user] ?? 0, last: this.lasts[user] ?? 0 };
  }

  add(user: number, { clicks, last }: Clicked): void {
    if (user >= this.end) this.reserve(user + 1);
    this.clicks[user] = (this.clicks[user] ?? 0) + clicks;
    if (last > (this.lasts[user] ?? 0)) this.lasts[user] = last;
  }

  /** Adds or subtracts the output of `packClicks`. One tight loop, because it dominates the cost of a ranking. */
  addPacked(bytes: Buffer, times: 1 | -1): void {
    const view = viewOf(bytes);
    for (let offset = 0; offset < bytes.length; offset += BYTES) {
      const user = view.getUint32(offset, true);
      if (user >= this.end) this.reserve(user + 1);
      this.clicks[user] = (this.clicks[user] ?? 0) + times * view.getUint32(offset + 4, true);
      const last = view.getUint32(offset + 8, true);
      if (times === 1 && last > (this.lasts[user] ?? 0)) this.lasts[user] = last;
    }
  }

  /** Adds or subtracts the output of `clickBytes`. */
  addArray(bytes: Buffer, times: 1 | -1 = 1): void {
    const view = viewOf(bytes);
    const users = bytes.length / 4;
    this.reserve(users);
    const { clicks } = this;
    for (let user = 0; user < users; user++) {
      clicks[user] = (clicks[user] ?? 0) + times * view.getUint32(user * 4, true);
    }
  }

  /** Merges the output of `lastBytes`, keeping the later time. */
  addLasts(bytes: Buffer): void {
    const view = viewOf(bytes);
    const users = bytes.length / 4;
    this.reserve(users);
    const { lasts } = this;
    for (let user = 0; user < users; user++) {
      lasts[user] = Math.max(lasts[user] ?? 0, view.getUint32(user * 4, true));
    }
  }

  /** Clicks by customer number, as 32-bit little-endian integers. */
  clickBytes(): Buffer {
    return bytesOf(this.clicks.subarray(0, this.end));
  }

  /** Last click by customer number, in the same encoding. */
  lastBytes(): Buffer {
    return bytesOf(this.lasts.subarray(0, this.end));
  }

  /** Customers by clicks, most first, then by number; those without clicks are left out. */
  top(limit: number): number[] {
    const { clicks, end } = this;
    const least = this.leastOfTop(limit);
    const above: number[] = [];
    const equal: number[] = [];
    for (let user = 0; user < end; user++) {
      const count = clicks[user] ?? 0;
      if (count > least) above.push(user);
      else if (count === least && equal.length < limit) equal.push(user);
    }
    above.sort((a, b) => (clicks[b] ?? 0) - (clicks[a] ?? 0) || a - b);
    return [...above, ...equal].slice(0, limit);
  }

  /** Clicks of the last customer in the top `limit`, at least 1. */
  private leastOfTop(limit: number): number {
    const clicks = this.clicks.subarray(0, this.end);
    const highest = clicks.reduce((max, count) => Math.max(max, count), 0);
    if (highest > MAX_TALLIED) return Math.max(clicks.toSorted().at(-limit) ?? 0, 1);
    // Counting sort, which is many times faster here than comparing.
    const tally = new Uint32Array(highest + 1);
    for (const count of clicks) if (count > 0) tally[count] = (tally[count] ?? 0) + 1;
    let least = highest + 1;
    for (let missing = limit; missing > 0 && least > 1; missing -= tally[least] ?? 0) least--;
    return Math.max(least, 1);
  }

  private reserve(end: number): void {
    if (end > this.clicks.length) {
      const length = Math.max(end, this.clicks.length * 2);
      const [clicks, lasts] = [new Float64Array(length), new Uint32Array(length)];
      clicks.set(this.clicks);
      lasts.set(this.lasts);
      [this.clicks, this.lasts] = [clicks, lasts];
    }
    this.end = Math.max(this.end, end);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function bytesOf(numbers: Float64Array | Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * 4);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number, i * 4);
  return bytes;
}
