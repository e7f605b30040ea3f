const MAX_WORD = 200;

/** What came from outside, as Postgres can hold it. */
export function sanitizeText(text: string, max = MAX_WORD): string {
  return text.replaceAll('\u0000', '').toWellFormed().slice(0, max).toWellFormed();
}
