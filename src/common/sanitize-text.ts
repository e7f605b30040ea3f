const MAX_WORD = 200;

/** Text from outside, made storable in Postgres and cut. */
export function sanitizeText(text: string, max = MAX_WORD): string {
  return cut(text.replaceAll('\u0000', '').toWellFormed(), max);
}

/** The first `max` characters (code points), so that no character is split. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) end += isPair(text, end) ? 2 : 1;
  return text.slice(0, end);
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
