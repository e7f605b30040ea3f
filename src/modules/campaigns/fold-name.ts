/** A name or a search for one as they are compared: letter case does not count, nor how an accent is encoded. */
export function foldName(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
