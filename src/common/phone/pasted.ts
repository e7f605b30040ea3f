/** Marks of direction, joiners, byte order marks and the like, which copied text may carry. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]+/gu;

/** Pasted text without invisible characters, trimmed, with plain spaces. */
export function pasted(text: string): string {
  return withoutInvisible(text).replace(/\s/g, ' ').trim();
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
