import { dateTime, trimmed } from '../../../common/csv/cells';
import { EMAIL_NAMES, PHONE_NAMES } from '../../../common/csv/names';
import { meaningsOf, numbered, Table, type TableField } from '../../../common/csv/table';

const FIELDS = {
  source: {},
  unsubscribedAt: {
    names: [
      'unsubscribed',
      'unsubscribedOn',
      'unsubscribeTime',
      'unsubscribeDate',
      'unsubTime',
      'optedOutAt',
      'optOutAt',
      'optOutTime',
      'optOutDate',
      '수신거부일',
      '수신거부일시',
    ],
  },
};
const READ = { value: trimmed, source: trimmed, unsubscribedAt: dateTime };

/** The channel determines whether values are in a column of numbers or of addresses. */
const PHONES = meaningsOf({ value: { names: PHONE_NAMES }, ...FIELDS });
const EMAILS = meaningsOf({ value: { names: EMAIL_NAMES }, ...FIELDS });

const READINGS: Readonly<Record<string, Omit<TableField, 'read'>>> = {
  value: { perRow: true },
  source: { kind: 'free' },
};

export function tableOf(header: readonly string[], channel: string): Table {
  const find = channel === 'EMAIL' ? EMAILS : PHONES;
  return new Table(header, find, (field) => READINGS[field]);
}

/**
 * Column names for a file without a header, which is a plain list of values.
 * @param first the first row
 * @returns null if the first row is a header
 */
export function namesOfPlainList(first: readonly string[], channel: string): string[] | null {
  if (first.some((cell) => PHONES(cell) ?? EMAILS(cell))) return null;
  const kinds = first.map(kindOf);
  const numbers = kinds.flatMap((kind, column) => (kind === 'number' ? [column] : []));
  // A column of customer numbers beside it usually starts with neither + nor 0.
  const written = numbers.find((column) => /^\W*[+＋0]/.test(first[column] ?? '')) ?? numbers[0];
  const value = channel === 'EMAIL' ? kinds.indexOf('address') : (written ?? -1);
  if (value < 0 && !kinds.includes('address') && numbers.length === 0) return null;
  const time = kinds.indexOf('time');
  return first.map((_, column) => {
    if (column === Math.max(0, value)) return 'value';
    return column === time ? 'unsubscribedAt' : numbered(column);
  });
}

/** The kind of a cell by its form, because the console does not load the numbering plans. */
function kindOf(cell: string): 'address' | 'number' | 'time' | null {
  if (cell.includes('@')) return 'address';
  if (/^\s*\d{4}-\d\d-\d\d(?:\D|$)/.test(cell)) return 'time';
  return cell.replaceAll(/\D/g, '').length >= 5 ? 'number' : null;
}

/** The JSON item for a row; empty cells are omitted fields. */
export function itemOf(table: Table, cells: readonly string[]): object {
  return Object.fromEntries(
    table.given(cells).map(([field, cell]) => [field, READ[field as keyof typeof READ](cell)] as const),
  );
}
