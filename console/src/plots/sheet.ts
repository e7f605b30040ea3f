import type { Sheet } from './types';

/** A table as CSV (RFC 4180), which a spreadsheet reads as texts and numbers, never as formulas. */
export function csvOf({ columns, rows }: Sheet): string {
  const lines = [columns, ...rows].map((cells) => cells.map(cellOf).join(','));
  // The mark by which spreadsheets tell UTF-8.
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[\s]*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
