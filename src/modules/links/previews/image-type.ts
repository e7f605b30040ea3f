const TYPES: readonly [type: string, matches: (start: string) => boolean][] = [
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/gif', (start) => /^GIF8[79]a/.test(start)],
  ['image/webp', (start) => /^RIFF[^]{4}WEBP/.test(start)],
  ['image/x-icon', (start) => start.startsWith('\0\0\x01\0')],
];

export const IMAGE_TYPES: readonly string[] = TYPES.map(([type]) => type);

/** The media type of an image by its first bytes; null for other content, such as SVG, which may contain scripts. */
export function imageTypeOf(bytes: Buffer): string | null {
  const start = bytes.subarray(0, 12).toString('latin1');
  return TYPES.find(([, matches]) => matches(start))?.[0] ?? null;
}
