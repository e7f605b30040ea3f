/** Control and direction characters, by which a title or a referrer could rewrite the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

export type Printable = string | number | null | undefined;

/** One line of text that is safe to print, whoever wrote it. */
export function printable(value: Printable): string {
  return String(value ?? '').replaceAll(UNPRINTABLE, ' ');
}

/** Letters of East Asian scripts and emoji, which take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

const segmenter = new Intl.Segmenter();

/** Columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text, cut to a width. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let left = width - 1;
  for (const { segment } of segmenter.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** The text, filled with spaces to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Such as `1 click` and `1,024 clicks`. */
export function amount(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun}s`}`;
}

export interface Bar {
  label: string;
  value: number;
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const MAX_LABEL = 30;

/** One line for each value, no wider than the columns. */
export function bars(items: readonly Bar[], columns: number): string[] {
  const most = Math.max(1, ...items.map(({ value }) => value));
  const numbers = Math.max(0, ...items.map(({ value }) => count(value).length));
  const longest = Math.max(0, ...items.map(({ label }) => widthOf(label)));
  const labels = Math.max(1, Math.min(longest, MAX_LABEL, columns - numbers - 4));
  const room = Math.max(0, columns - labels - numbers - 3);
  return items.map(({ label, value }) => {
    const name = pad(fit(label, labels), labels);
    return `${name}  ${count(value).padStart(numbers)} ${bar((value / most) * room)}`.trimEnd();
  });
}

/** Values above zero are at least one eighth wide. */
function bar(length: number): string {
  const eighths = length > 0 ? Math.max(1, Math.round(length * 8)) : 0;
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** All values in one line; neighbours are added up where there are more of them than columns. */
export function sparkline(values: readonly number[], columns: number): string {
  const size = Math.ceil(values.length / Math.max(1, columns));
  const sums: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    sums.push(values.slice(from, from + size).reduce((sum, value) => sum + value, 0));
  }
  const most = Math.max(1, ...sums);
  return sums
    .map((sum) => (sum > 0 ? STEPS[Math.max(0, Math.ceil((sum / most) * STEPS.length) - 1)] : ' '))
    .join('');
}
