import { guarded, writeCsv } from '../../../src/common/csv/write-csv';
import type { Sheet } from './types';

/** A table as CSV (RFC 4180), which spreadsheets read as texts and numbers, but never as formulas. */
export function csvOf({ columns, rows }: Sheet): string {
  // Byte order mark, by which spreadsheets recognize UTF-8.
  return `\uFEFF${writeCsv([columns, ...rows].map((cells) => cells.map(cellOf)))}`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : guarded(value);
}
