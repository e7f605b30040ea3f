import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { BitMatrix } from 'qrcode';

const compress = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PALETTE_IMAGE = 3;

export interface QrPngOptions {
  /** Width and height in pixels. */
  size: number;
  /** Quiet zone in modules. */
  margin: number;
  /** `#rrggbb` or `#rrggbbaa`, with or without the `#`. */
  darkColor: string;
  lightColor: string;
}

/**
 * A QR code as a PNG with one bit per pixel and a palette of two colours. The renderer of `qrcode` uses four bytes per
 * pixel, which blocks the event loop at large sizes, and its width can be off by one pixel.
 */
export async function qrPng(modules: BitMatrix, options: QrPngOptions): Promise<Buffer> {
  const { size } = options;
  const colors = [options.lightColor, options.darkColor].map((color) => {
    return Buffer.from(color.replace('#', '').padEnd(8, 'f'), 'hex');
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([1, PALETTE_IMAGE], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.concat(colors.map((color) => color.subarray(0, 3)))),
    chunk('tRNS', Buffer.concat(colors.map((color) => color.subarray(3)))),
    chunk('IDAT', await compress(scanLines(modules, options))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Scan lines: a filter byte (none) followed by the pixels. All lines of a row of modules are identical. */
function scanLines(modules: BitMatrix, { size, margin }: QrPngOptions): Buffer {
  const across = modules.size + 2 * margin;
  const moduleAt = Array.from({ length: size }, (_, pixel) => Math.floor((pixel * across) / size) - margin);
  const isDark = (row: number, column: number) =>
    Math.min(row, column) >= 0 && Math.max(row, column) < modules.size && modules.get(row, column) === 1;
  const lineOf = (row: number) => {
    const line = Buffer.alloc(1 + Math.ceil(size / 8));
    for (const [pixel, column] of moduleAt.entries()) {
      const byte = 1 + (pixel >> 3);
      if (isDark(row, column)) line.writeUInt8(line.readUInt8(byte) | (0x80 >> (pixel & 7)), byte);
    }
    return line;
  };
  const lines = new Map([...new Set(moduleAt)].map((row) => [row, lineOf(row)]));
  return Buffer.concat(moduleAt.flatMap((row) => lines.get(row) ?? []));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
