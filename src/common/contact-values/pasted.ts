/** Invisible characters of copied text: direction marks, joiners, fillers, byte order marks. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\ufffc]+/gu;
/** Notations by which spreadsheets keep a number as text: `'0102`, `="0102"`. */
const TEXT_MARK = /^(?:="(.*)"|'(.*))$/s;
const SCHEME = /^(?:tel|sms|callto|mailto):/i;

const PUNCTUATION = /(?<![\s.,;])[\s.,;]+$/;

/** Pasted text without invisible characters, trimmed, with plain spaces. */
export function pasted(text: string): string {
  return withoutInvisible(text).replace(/\s/g, ' ').trim();
}

/** A pasted phone number or e-mail address without its URI scheme, text mark and trailing punctuation, in NFKC. */
export function pastedRecipient(text: string): string {
  return pasted(text)
    .normalize('NFKC')
    .replace(TEXT_MARK, (_, quoted?: string, marked?: string) => (quoted ?? marked ?? '').trim())
    .replace(SCHEME, '')
    .replace(PUNCTUATION, '');
}

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
