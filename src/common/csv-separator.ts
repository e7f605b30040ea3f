/** The separator of a file, and where its first row starts. */
interface CsvStart {
  separator: string;
  /** Characters before the first row: the line `sep=;`, an instruction to Excel. */
  length: number;
  /** Lines before the first row. */
  lines: number;
}

const SEPARATORS = [',', ';', '\t'];
const INSTRUCTION = /^"?sep=([,;\t])"?[ ]*(?:\r\n|\r|\n|$)/i;
/** A file with a single column. */
const ALONE: CsvStart = { separator: ',', length: 0, lines: 0 };
/** For a longer header, this prefix decides. */
const MAX_HEAD = 16_384;

/**
 * Detects the separator from the first line: an instruction (`sep=;`), else the first comma, semicolon or tab
 * outside quotes; later cells may contain the others.
 * @param head start of the file
 * @param ended whether that is all of it
 * @returns null while more input is needed
 */
export function startOf(head: string, ended: boolean): CsvStart | null {
  const complete = ended || head.length >= MAX_HEAD;
  const instruction = INSTRUCTION.exec(head);
  if (instruction) {
    const [{ length }, separator = ','] = instruction;
    // The LF of a CRLF may still arrive.
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
