import { withoutGuard } from '../../../common/csv';
import { ValidationFailed } from '../../../common/errors/errors';

/** Column indexes of a file. */
export interface Columns {
  /** Whether the first row is a header; a plain list of values has none. */
  readonly header: boolean;
  readonly value: number;
  readonly source: number;
  readonly unsubscribedAt: number;
}

const VALUE_NAMES = ['value', 'phone', 'email'];

/** @param isValue whether the first cell is a valid value @throws ValidationFailed */
export function columnsOf(cells: readonly string[], isValue: boolean): Columns {
  const names = cells.map((cell) => cell.trim().toLowerCase().replaceAll(/[ _-]/g, ''));
  const value = names.findIndex((name) => VALUE_NAMES.includes(name));
  if (value !== -1) {
    const source = names.indexOf('source');
    return { header: true, value, source, unsubscribedAt: names.indexOf('unsubscribedat') };
  }
  if (!isValue) throw ValidationFailed.field('value', 'must be a column of the header row');
  return { header: false, value: 0, source: -1, unsubscribedAt: -1 };
}

/** The JSON item for a row; empty cells are omitted fields. */
export function itemOf({ value, source, unsubscribedAt }: Columns, cells: readonly string[]) {
  const cell = (column: number) => {
    const text = withoutGuard(cells[column] ?? '').trim();
    return text === '' ? undefined : text;
  };
  return { value: cell(value), source: cell(source), unsubscribedAt: cell(unsubscribedAt) };
}
