import { PNG } from 'pngjs';

export const MAX_LOGO_BYTES = 256 * 1024;
export const MAX_LOGO_PIXELS = 512;

const START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const END = Buffer.from('0000000049454e44ae426082', 'hex');
const INTERLACED_AT = 28;

/** RGBA, a byte each, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** @returns the problem with a logo, worded to follow the field's name, or null */
export function logoProblem(png: Buffer): string | null {
  if (!png.subarray(0, START.length).equals(START)) return 'must be a PNG in Base64';
  if (png.length > MAX_LOGO_BYTES) return `must be at most ${MAX_LOGO_BYTES / 1024} KiB`;
  if (png.length < INTERLACED_AT + END.length || !png.subarray(-END.length).equals(END))
    return 'must be a PNG that is complete, without anything behind it';
  const sides = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (Math.max(...sides) > MAX_LOGO_PIXELS || Math.min(...sides) < 1)
    return `must be at most ${MAX_LOGO_PIXELS} × ${MAX_LOGO_PIXELS} pixels`;
  // Without interlacing, the size of the picture limits what is decompressed.
  if (png.readUInt8(INTERLACED_AT) !== 0) return 'must be a PNG that is not interlaced';
  try {
    decodeLogo(png);
    return null;
  } catch {
    return 'must be a PNG that can be decoded';
  }
}

export function decodeLogo(png: Buffer): Picture {
  const { width, height, data } = PNG.sync.read(png);
  if (data.length !== width * height * 4) throw new Error('The picture is not complete');
  return { width, height, data };
}
