const SLAB_BYTES = 1_048_576;
const SPARE_SLABS = 8;
/** Longest UTF-8 encoding of a UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;
const LINE_BREAK = 10;

/** A block of memory with texts in sequence, each terminated by a line break. */
interface Slab {
  readonly bytes: Buffer;
  used: number;
  startedAt: number;
  /** Time of the last write to it, or of the last acknowledgement of one of its texts. */
  lastAt: number;
  /** Number of texts being sent. */
  sending: number;
  /** Whether it must not be reused, because a failed text may still be in a socket buffer. */
  closed: boolean;
}

/**
 * Recently sent lines, which are resent if the store loses them. They are kept in reused off-heap slabs: individual
 * allocations would be megabytes of garbage per second, and make V8 mark the whole heap every few seconds. Times are
 * milliseconds of a monotonic clock.
 */
export class ReplayBuffer {
  private readonly slabs = new Map<ArrayBufferLike, Slab>();
  private current: Slab | null = null;
  private heldSince: number | null = null;

  /** @param keepMs how long lines are kept after they were sent */
  constructor(private readonly keepMs: number) {}

  /** Encodes a text as UTF-8 for sending. The caller must report the outcome with `sent` or `notSent`. */
  write(text: string, now: number): Buffer {
    const slab = this.slabFor(text.length * MAX_BYTES_PER_UNIT + 1, now);
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

  /** Records that a write failed; the store may still receive the lines. */
  notSent(lines: Buffer, now: number): void {
    const slab = this.slabs.get(lines.buffer);
    if (slab) slab.closed = true;
    this.sent(lines, now);
  }

  /** Whether it has lines of the last `keepMs`, or holds older ones for `replay`. */
  holds(now: number): boolean {
    return (
      this.heldSince !== null || [...this.slabs.values()].some(({ lastAt }) => now - lastAt <= this.keepMs)
    );
  }

  /** Keeps the lines of the last `keepMs` until `replay`, because the store may have lost them. */
  hold(now: number): void {
    this.heldSince ??= now - this.keepMs;
  }

  /** The lines to resend, possibly with older ones. The caller must report each outcome with `sent` or `notSent`. */
  replay(): Buffer[] {
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
    // Slabs are also rotated by age, so that one with few lines does not keep old ones.
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
