import { count, fit, pad, widthOf } from './text';

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
