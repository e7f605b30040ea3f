/** Invisible characters: white space, control, format and direction characters, fillers, lone variation selectors. */
const INVISIBLE = String.raw`\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, 'u');
const HIDDEN = /[\p{Zl}\p{Zp}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Joiners and variation selectors within an emoji, such as a coloured heart, a family or a keycap. */
const EMOJI_JOINERS =
  /(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|[\ufe0e\ufe0f](?=\u20e3)|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;

const JOINED_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
].map((script) => String.raw`\p{Script=${script}}`);
const JOINED_LETTER = `[${JOINED_SCRIPTS.join('')}]`;
/** Joiners between letters of a joining script, whose form they change, as Persian and Indic words require. */
const LETTER_JOINERS = new RegExp(`(?<=${JOINED_LETTER})[\\u200c\\u200d](?=${JOINED_LETTER})`, 'gu');

/** Whether the text has no visible character; true for empty text. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Rejects invisible characters, because identifiers that look the same must be the same. */
export function identifierProblem(text: string): string | null {
  if (!HIDDEN.test(text)) return null;
  const rest = text.replace(EMOJI_JOINERS, '').replace(LETTER_JOINERS, '');
  return HIDDEN.test(rest) ? 'must not contain invisible or control characters' : null;
}
