const MAX_WORD = 200;

/** Text from outside, made storable in Postgres. */
export function sanitizeText(text: string, max = MAX_WORD): string {
  return text.replaceAll('\u0000', '').toWellFormed().slice(0, max).toWellFormed();
}

/** The first `max` characters (code points). */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : Array.from(text).slice(0, max).join('');
}
