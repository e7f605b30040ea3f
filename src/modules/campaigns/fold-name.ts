/** Normalizes names and search terms, so that letter case and the encoding of accents make no difference. */
export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
