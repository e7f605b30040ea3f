import { guarded, writeCsv } from '../../../src/common/csv/write-csv';
import type { Sheet } from './types';

/** A table as CSV (RFC 4180), which a spreadsheet reads as texts and numbers, never as formulas. */
export function csvOf({ columns, rows }: Sheet): string {
  // The mark by which spreadsheets tell UTF-8.
  return `\uFEFF${writeCsv([columns, ...rows].map((cells) => cells.map(cellOf)))}`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : guarded(value);
}
