import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** A logo: a red rectangle with clear edges at its sides, as PNG in Base64. */
export function logoOf(width: number, height: number): string {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isEdge = width > 8 && Math.min(x, width - 1 - x) < width / 8;
      png.data.set([0xd0, 0x10, 0x3a, isEdge ? 0 : 255], (y * width + x) * 4);
    }
  }
  return PNG.sync.write(png).toString('base64');
}

/** What a reader finds in a PNG. */
export function readQr(png: Buffer): string | undefined {
  const { width, height, data } = PNG.sync.read(png);
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}
