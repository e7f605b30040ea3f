import { dateTime, trimmed } from '../../../common/csv/cells';
import { EMAIL_NAMES, PHONE_NAMES } from '../../../common/csv/names';
import { meaningsOf, Table } from '../../../common/csv/table';

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
    ],
  },
};
const READ = { value: trimmed, source: trimmed, unsubscribedAt: dateTime };

/** A value stands in a column of numbers or of addresses, by the channel. */
const PHONES = meaningsOf({ value: { names: PHONE_NAMES }, ...FIELDS });
const EMAILS = meaningsOf({ value: { names: EMAIL_NAMES }, ...FIELDS });

export function tableOf(header: readonly string[], channel: string): Table {
  const find = channel === 'EMAIL' ? EMAILS : PHONES;
  return new Table(header, find, (field) => (field === 'source' ? 'free' : undefined));
}

/**
 * Names for the columns of a file without a header, which is a plain list of values.
 * @param first the first row
 * @returns null if that names the columns
 */
export function namesOfPlainList(first: readonly string[], channel: string): string[] | null {
  if (first.some((cell) => PHONES(cell) ?? EMAILS(cell))) return null;
  const kinds = first.map((cell) => {
    if (cell.includes('@')) return 'address';
    return cell.replaceAll(/\D/g, '').length >= 5 ? 'number' : null;
  });
  if (kinds.every((kind) => kind === null)) return null;
  const value = Math.max(0, kinds.indexOf(channel === 'EMAIL' ? 'address' : 'number'));
  return first.map((_, column) => (column === value ? 'value' : ''));
}

/** The JSON item for a row; empty cells are omitted fields. */
export function itemOf(table: Table, cells: readonly string[]): object {
  return Object.fromEntries(
    table.given(cells).map(([field, cell]) => [field, READ[field as keyof typeof READ](cell)] as const),
  );
}
