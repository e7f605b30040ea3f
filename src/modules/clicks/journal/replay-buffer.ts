const SLAB_BYTES = 1_048_576;
/** Slabs that nothing is in, kept for what comes next. */
const SPARE_SLABS = 8;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES = 3;
const LINE_BREAK = 10;

/** Texts one behind the other, each with a line break behind it. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  startedAt: number;
  /** When the last of its texts was written or sent. */
  lastAt: number;
  /** Texts that are on their way. */
  sending: number;
  /** A text of it may still wait in a socket: nothing is written here any more. */
  closed: boolean;
}

/**
 * Lines of the last seconds, in memory outside of the heap that is used again and again. Held one by one, or taken anew
 * each time, they add up to megabytes a second, and every few seconds V8 goes over the whole heap to find what is free.
 * Times are milliseconds of any clock that does not go back.
 */
export class ReplayBuffer {
  private readonly slabs = new Map<ArrayBufferLike, Slab>();
  private current: Slab | null = null;
  private heldSince: number | null = null;

  /** @param keepMs how long lines are held after they were sent */
  constructor(private readonly keepMs: number) {}

  /** The text as UTF-8, to be sent; `sent` or `notSent` says how that ended. */
  write(text: string, now: number): Buffer {
    const slab = this.slabFor(text.length * MOST_BYTES + 1, now);
    const start = slab.used;
    const end = start + slab.bytes.write(text, start);
    slab.bytes[end] = LINE_BREAK;
    slab.used = end + 1;
    slab.lastAt = now;
    slab.sending++;
    return slab.bytes.subarray(start, end);
  }

  sent(lines: Buffer, now: number): void {
    const slab = this.slabs.get(lines.buffer);
    if (!slab) return;
    slab.sending--;
    slab.lastAt = now;
  }

  /** Whoever was to take them may yet do so. */
  notSent(lines: Buffer, now: number): void {
    const slab = this.slabs.get(lines.buffer);
    if (slab) slab.closed = true;
    this.sent(lines, now);
  }

  /** Whoever took the lines of the last seconds may have lost them: they are held until `again`. */
  hold(now: number): void {
    this.heldSince ??= now - this.keepMs;
  }

  /** What was held, to be sent again, each with `sent` or `notSent` in the end; older lines may be among them. */
  again(): Buffer[] {
    const since = this.heldSince ?? Infinity;
    this.heldSince = null;
    const slabs = [...this.slabs.values()].filter((slab) => slab.used > 0 && slab.lastAt >= since);
    return slabs.map((slab) => {
      slab.sending++;
      return slab.bytes.subarray(0, slab.used - 1);
    });
  }

  private slabFor(bytes: number, now: number): Slab {
    const { current } = this;
    const fits = current && !current.closed && current.used + bytes <= current.bytes.length;
    // However little is sent: nobody needs what is older.
    if (fits && now - current.startedAt < this.keepMs) return current;
    this.current = this.freeSlab(bytes, now) ?? this.addSlab(Math.max(bytes, SLAB_BYTES));
    this.current.startedAt = now;
    return this.current;
  }

  private freeSlab(bytes: number, now: number): Slab | undefined {
    if (this.heldSince !== null) return undefined;
    const free = [...this.slabs.values()].filter(
      (slab) => slab.sending === 0 && now - slab.lastAt > this.keepMs,
    );
    const usable = free.filter((slab) => !slab.closed && slab.bytes.length === SLAB_BYTES);
    const spare = new Set(usable.slice(0, SPARE_SLABS));
    for (const slab of free) {
      slab.used = 0;
      if (!spare.has(slab)) this.slabs.delete(slab.bytes.buffer);
    }
    return bytes <= SLAB_BYTES ? usable[0] : undefined;
  }

  private addSlab(bytes: number): Slab {
    const memory = Buffer.allocUnsafeSlow(bytes);
    const slab = { bytes: memory, used: 0, startedAt: 0, lastAt: 0, sending: 0, closed: false };
    this.slabs.set(memory.buffer, slab);
    return slab;
  }
}
