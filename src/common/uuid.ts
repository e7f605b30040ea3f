import { randomBytes, randomInt } from 'node:crypto';

/** A version 7 UUID. Newer ones sort last, so that indexes grow at their end. */
export function uuidV7(at: number): string {
  return format(bytesOf(at));
}

/** Version 7 UUIDs that sort in order of creation, even within a millisecond. */
export class UuidSequence {
  private at = NaN;
  private counter = 0;

  next(at: number): string {
    // Starts in the lower half of its range, so that it cannot overflow.
    this.counter = at === this.at ? this.counter + 1 : randomInt(2 ** (COUNTER_BITS - 1));
    this.at = at;
    const bytes = bytesOf(at);
    bytes.writeUInt16BE(0x7000 | (this.counter >>> LOW_BITS), 6);
    bytes.writeUInt16BE(0x8000 | (this.counter & (2 ** LOW_BITS - 1)), 8);
    return format(bytes);
  }
}

/** The counter replaces the first 26 random bits: 12 before the variant, 14 after it. */
const LOW_BITS = 14;
const COUNTER_BITS = 12 + LOW_BITS;

function bytesOf(at: number): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at, 0, 6);
  return marked(bytes, 7);
}

/** A version 8 UUID from the first 16 of these bytes. */
export function uuidV8(bytes: Buffer): string {
  return format(marked(Buffer.from(bytes.subarray(0, 16)), 8));
}

function marked(bytes: Buffer, version: number): Buffer {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

function format(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The smallest version 7 UUID of a time in milliseconds. */
export function earliestIdOf(at: number): string {
  return at
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');
}

/** Creation time of a version 7 UUID. */
export function timeOfId(id: string): Date {
  return new Date(parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
