const SLAB_BYTES = 1_048_576;
/** Slabs that nothing is in, kept for what comes next. */
const SPARE_SLABS = 8;
/** Of UTF-8, for one unit of a string. */
const MOST_BYTES = 3;

interface Slab {
  readonly bytes: Buffer;
  used: number;
  /** Texts in it that have not been given back. */
  held: number;
}

/**
 * Memory outside of the heap for texts that are kept for seconds: the same again and again. Taken anew for each, it adds
 * up to megabytes a second, and every few seconds V8 goes over the whole heap to find what of it is free.
 */
export class RecentLines {
  private readonly slabs = new Map<ArrayBufferLike, Slab>();
  private current = this.addSlab();

  /** The text as UTF-8. It stays as it is until it is given back. */
  write(text: string): Buffer {
    const most = text.length * MOST_BYTES;
    if (most > SLAB_BYTES) return Buffer.from(text);
    if (this.current.used + most > SLAB_BYTES) this.current = this.freeSlab() ?? this.addSlab();
    const slab = this.current;
    const start = slab.used;
    slab.used += slab.bytes.write(text, start);
    slab.held++;
    return slab.bytes.subarray(start, slab.used);
  }

  /** Takes back what `write` gave, once each; nobody may read it any more. */
  giveBack(lines: Buffer): void {
    const slab = this.slabs.get(lines.buffer);
    if (!slab || --slab.held > 0 || slab === this.current) return;
    const spare = [...this.slabs.values()].filter((each) => each.held === 0 && each !== this.current);
    if (spare.length > SPARE_SLABS) this.slabs.delete(lines.buffer);
  }

  /** As `giveBack`, of what may still wait in a socket: nothing is written there any more. */
  abandon(lines: Buffer): void {
    const slab = this.slabs.get(lines.buffer);
    if (!slab) return;
    this.slabs.delete(lines.buffer);
    if (slab === this.current) this.current = this.freeSlab() ?? this.addSlab();
  }

  private freeSlab(): Slab | undefined {
    for (const slab of this.slabs.values()) {
      if (slab.held > 0 || slab === this.current) continue;
      slab.used = 0;
      return slab;
    }
    return undefined;
  }

  private addSlab(): Slab {
    const slab = { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES), used: 0, held: 0 };
    this.slabs.set(slab.bytes.buffer, slab);
    return slab;
  }
}
