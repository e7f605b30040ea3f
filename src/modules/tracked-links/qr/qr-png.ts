import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { decodeLogo, type Picture } from '../qr-settings/logo';
import type { QrStyle } from '../qr-settings/qr-style';
import type { QrLayout } from './qr-layout';

const compress = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS = 8;
const PALETTE_IMAGE = 3;
const RGBA_IMAGE = 6;
/** Filter of a line; other lines have none, which is 0. */
const DIFFERENCE_TO_ABOVE = 2;
/** Colours from light to dark, for the edges of round corners. */
const SHADES = 16;
const DARK = SHADES - 1;
/** Instead of the corners of a module that is not dark. */
const LIGHT = -1;
/** Lines that are drawn in one turn of the event loop. */
const LINES_PER_TURN = 64;

export interface QrDrawing extends Pick<QrStyle, 'margin' | 'darkColor' | 'lightColor'> {
  /** Width and height in pixels. */
  readonly size: number;
  /** A PNG. */
  readonly logo: Buffer | null;
}

/** Red, green, blue and opacity, 0 to 255. */
type Color = readonly [number, number, number, number];

/**
 * A QR code as a PNG with a palette, or in full colour with a logo. The renderer of `qrcode` uses four bytes per pixel in
 * any case, blocks the event loop at large sizes, and its width can be off by one pixel.
 */
export async function qrPng(layout: QrLayout, drawing: QrDrawing): Promise<Buffer> {
  const { size, margin, logo } = drawing;
  const [light, dark] = [colorOf(drawing.lightColor), colorOf(drawing.darkColor)];
  const shades = Array.from({ length: SHADES }, (_, shade) => mixed(light, dark, shade / DARK));
  const lines = await scanLines(layout, drawing, logo && shades);
  if (layout.logo && logo) {
    const module = size / (layout.across + 2 * margin);
    const at = Math.round((margin + layout.logo.start + 0.5) * module);
    const side = Math.round((layout.logo.across - 1) * module);
    await drawLogo(lines, size, decodeLogo(logo), { at, side, light });
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([EIGHT_BITS, logo ? RGBA_IMAGE : PALETTE_IMAGE], 8);
  const palette = [
    chunk('PLTE', Buffer.from(shades.flatMap((color) => color.slice(0, 3)))),
    chunk('tRNS', Buffer.from(shades.map(([, , , opacity]) => opacity))),
  ];
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(logo ? [] : palette),
    chunk('IDAT', await compress(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Lines of a filter byte and pixels, which are numbers of shades, or RGBA if there are `colors` of the shades. */
async function scanLines(
  layout: QrLayout,
  { size, margin }: QrDrawing,
  colors: readonly Color[] | null,
): Promise<Buffer> {
  const across = layout.across + 2 * margin;
  const places = Float64Array.from({ length: size }, (_, pixel) => ((pixel + 0.5) * across) / size);
  const modules = Int32Array.from(places, Math.floor);
  const offsets = places.map((place, pixel) => place - (modules[pixel] ?? 0) - 0.5);
  const values = colors
    ? colors.map((color) => new Uint32Array(Uint8Array.from(color).buffer)[0] ?? 0)
    : [...Array(SHADES).keys()];
  const pixels = colors ? new Uint32Array(size) : new Uint8Array(size);
  const line = new Uint8Array(pixels.buffer);
  const lines = Buffer.alloc(size * (1 + line.length));
  let corners: Int8Array = new Int8Array(across);
  for (let y = 0; y < size; y++) {
    if (y % LINES_PER_TURN === 0) await nextTurn();
    const at = y * (1 + line.length);
    const isNew = modules[y] !== modules[y - 1];
    if (isNew) corners = cornersOf(layout, (modules[y] ?? 0) - margin, margin);
    const isAsAbove = !isNew && !corners.some((round) => round > 0);
    if (isAsAbove && !colors) {
      lines[at] = DIFFERENCE_TO_ABOVE;
      continue;
    }
    const down = offsets[y] ?? 0;
    for (let x = 0; x < size && !isAsAbove; x++) {
      const right = offsets[x] ?? 0;
      const round = corners[modules[x] ?? 0] ?? LIGHT;
      let shade = round === LIGHT ? 0 : DARK;
      if (round > 0 && round & (1 << ((down > 0 ? 2 : 0) + (right > 0 ? 1 : 0)))) {
        const inside = ((0.5 - Math.sqrt(down * down + right * right)) * size) / across;
        shade = Math.round(Math.min(1, Math.max(0, inside + 0.5)) * DARK);
      }
      pixels[x] = values[shade] ?? 0;
    }
    lines.set(line, at + 1);
  }
  return lines;
}

/** The round corners of the modules in a row, quiet zone included; `LIGHT` for light ones. */
function cornersOf({ across, isDark, roundCorners }: QrLayout, row: number, margin: number): Int8Array {
  return Int8Array.from({ length: across + 2 * margin }, (_, i) =>
    isDark(row, i - margin) ? roundCorners(row, i - margin) : LIGHT,
  );
}

interface Place {
  /** Left and upper edge of a square in pixels, and its width. */
  readonly at: number;
  readonly side: number;
  /** Colour that shows through transparent parts of the logo. */
  readonly light: Color;
}

/** Draws a picture as large as fits into a square, in lines of RGBA. */
async function drawLogo(
  lines: Buffer,
  size: number,
  picture: Picture,
  { at, side, light }: Place,
): Promise<void> {
  const scale = side / Math.max(picture.width, picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const [left, top] = [width, height].map((length) => at + Math.floor((side - length) / 2)) as [
    number,
    number,
  ];
  for (let y = 0; y < height; y++) {
    if (y % LINES_PER_TURN === 0) await nextTurn();
    for (let x = 0; x < width; x++) {
      const [red, green, blue, opacity] = averageOf(picture, x / width, y / height, 1 / width, 1 / height);
      const color = mixed(light, [red, green, blue, 255], opacity / 255);
      lines.set(color, (top + y) * (1 + 4 * size) + 1 + 4 * (left + x));
    }
  }
}

/** The average colour of a part of a picture, whose place and size are shares of it. */
function averageOf(
  { width, height, data }: Picture,
  x: number,
  y: number,
  across: number,
  down: number,
): Color {
  const [left, top] = [Math.floor(x * width), Math.floor(y * height)];
  const right = Math.max(left + 1, Math.floor((x + across) * width));
  const bottom = Math.max(top + 1, Math.floor((y + down) * height));
  const sums: [number, number, number, number] = [0, 0, 0, 0];
  for (let row = top; row < bottom; row++) {
    for (let i = (row * width + left) * 4; i < (row * width + right) * 4; i += 4) {
      const opacity = data[i + 3] ?? 0;
      sums[0] += (data[i] ?? 0) * opacity;
      sums[1] += (data[i + 1] ?? 0) * opacity;
      sums[2] += (data[i + 2] ?? 0) * opacity;
      sums[3] += opacity;
    }
  }
  const [red, green, blue, opacity] = sums;
  const of = (sum: number) => (opacity === 0 ? 0 : sum / opacity);
  return [of(red), of(green), of(blue), opacity / ((right - left) * (bottom - top))];
}

/** A colour between two. @param share of `to`, 0 to 1 */
function mixed(from: Color, to: Color, share: number): Color {
  const opacity = from[3] * (1 - share) + to[3] * share;
  if (opacity === 0) return from;
  const part = (i: 0 | 1 | 2) =>
    Math.round((from[i] * from[3] * (1 - share) + to[i] * to[3] * share) / opacity);
  return [part(0), part(1), part(2), Math.round(opacity)];
}

/** @param color `#rrggbb` or `#rrggbbaa`, with or without the `#` */
function colorOf(color: string): Color {
  return [...Buffer.from(color.replace('#', '').padEnd(8, 'f'), 'hex')] as unknown as Color;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
