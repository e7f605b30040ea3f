import { Refused } from '../../api/errors';

/** What the API takes: pixels of a side, and bytes. */
const MAX_PIXELS = 512;
const MAX_BYTES = 256 * 1024;
const MIN_PIXELS = 16;

/**
 * Reads an image of any type that the browser knows. @returns a PNG in Base64, scaled down until the API takes it
 * @throws Refused with `message` if it is no image
 */
export async function logoFile(file: File, message: string): Promise<string> {
  const image = new Image();
  const url = URL.createObjectURL(file);
  image.src = url;
  try {
    await image.decode();
    const { naturalWidth, naturalHeight } = image;
    const longest = Math.max(naturalWidth, naturalHeight);
    for (let side = Math.min(longest, MAX_PIXELS); side >= MIN_PIXELS; side /= Math.SQRT2) {
      const png = await drawn(image, naturalWidth * (side / longest), naturalHeight * (side / longest));
      if (png && png.size <= MAX_BYTES) return await base64(png);
    }
  } catch {
    // An image that the browser cannot decode, or draw.
  } finally {
    URL.revokeObjectURL(url);
  }
  throw new Refused(message);
}

function drawn(image: HTMLImageElement, width: number, height: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
