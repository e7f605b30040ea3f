/** What separates the cells of a file, and where its first row starts. */
interface CsvStart {
  separator: string;
  /** Characters that are no row: the line `sep=;` that Excel takes as an instruction. */
  length: number;
  /** Lines that those characters are. */
  lines: number;
}

const SEPARATORS = [',', ';', '\t'];
const INSTRUCTION = /^"?sep=([,;\t])"?[ ]*(?:\r\n|\r|\n|$)/i;
/** A single column. */
const ALONE: CsvStart = { separator: ',', length: 0, lines: 0 };
/** A header that is longer is decided by what there is of it. */
const MAX_HEAD = 16_384;

/**
 * Finds the separator of a file in its first line: as an instruction (`sep=;`), else the first comma, semicolon or tab
 * outside of quotes. The first one, as later cells may hold the others.
 * @param head what has come of the file
 * @param ended whether that is all of it
 * @returns null while more has to come
 */
export function startOf(head: string, ended: boolean): CsvStart | null {
  const complete = ended || head.length >= MAX_HEAD;
  const instruction = INSTRUCTION.exec(head);
  if (instruction) {
    const [{ length }, separator = ','] = instruction;
    // The other half of CRLF may still come.
    if (length === head.length && !complete) return null;
    return { separator, length, lines: 1 };
  }
  let quoted = false;
  let blank = true;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (SEPARATORS.includes(character)) return { separator: character, length: 0, lines: 0 };
    else if (!blank && (character === '\r' || character === '\n')) return ALONE;
    if (character.trim() !== '') blank = false;
  }
  return complete ? ALONE : null;
}
