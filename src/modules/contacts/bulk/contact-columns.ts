import { parse } from 'csv-parse/sync';
import { guarded, withoutGuard, writeCsv } from '../../../common/csv';
import { CONSENTS } from '../contact';
import { OPT_OUT_CHANNELS } from '../contact-opt-outs';
import type { ContactResponse } from '../contact-response.dto';
import type { ContactRequest } from '../contacts.dto';

type Cell = string | number | boolean | null;
type Exported = Exclude<keyof ContactResponse, 'groupIds' | 'optedOut'>;

/** Columns of an export, named as in the API; those that requests know can be imported again. */
const EXPORTED: readonly Exported[] = [
  'id',
  'externalUserId',
  'name',
  'phoneNumber',
  'email',
  'pushIdentify',
  'pushTokenIdx',
  'locale',
  ...CONSENTS,
  'tags',
  'customFields',
  'origin',
  'status',
  'blocked',
  'createdAt',
  'updatedAt',
];

export const EXPORT_HEADER: readonly string[] = [
  ...EXPORTED,
  ...OPT_OUT_CHANNELS.map((channel) => `optedOut.${channel}`),
];

export function cellsOf(contact: ContactResponse): string[] {
  const cells = EXPORTED.map((column) => {
    const cell = cellOf(contact, column);
    // An E.164 number is not a formula, and other systems need it unchanged.
    return column === 'phoneNumber' ? String(cell ?? '') : guarded(String(cell ?? ''));
  });
  return [...cells, ...OPT_OUT_CHANNELS.map((channel) => String(contact.optedOut[channel]))];
}

function cellOf(contact: ContactResponse, column: Exported): Cell {
  if (column === 'tags') return contact.tags.length > 0 ? writeCsv([contact.tags]).trimEnd() : null;
  if (column === 'customFields') {
    return Object.keys(contact.customFields).length > 0 ? JSON.stringify(contact.customFields) : null;
  }
  return contact[column];
}

/** Converts a cell for validation as a request field; text that cannot be converted fails there. */
const text = (cell: string): unknown => cell;
const integer = (cell: string): unknown => (/^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell);
const truth = (cell: string): unknown => {
  const word = cell.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
const list = (cell: string): unknown =>
  attempt(() => (parse(cell, { skip_empty_lines: true }) as unknown[]).flat(), cell);
const json = (cell: string): unknown => attempt(() => JSON.parse(cell) as unknown, cell);

function attempt(read: () => unknown, cell: string): unknown {
  try {
    return read();
  } catch {
    return cell;
  }
}

const FIELDS: Readonly<Record<keyof ContactRequest, (cell: string) => unknown>> = {
  name: text,
  phoneNumber: text,
  email: text,
  externalUserId: text,
  pushIdentify: text,
  pushTokenIdx: integer,
  locale: text,
  pushOptIn: truth,
  smsOptIn: truth,
  emailOptIn: truth,
  alimtalkOptIn: truth,
  whatsappOptIn: truth,
  pushAdOptIn: truth,
  smsAdOptIn: truth,
  emailAdOptIn: truth,
  alimtalkAdOptIn: truth,
  nightAdOptIn: truth,
  tags: list,
  customFields: json,
  groupId: integer,
};

const BY_NAME = new Map(
  (Object.keys(FIELDS) as (keyof ContactRequest)[]).map((field) => [field.toLowerCase(), field]),
);
const CUSTOM = 'custom.';

/** Meaning of a column: a request field, a custom field, or unknown. */
export type Column = { field: keyof ContactRequest } | { custom: string } | null;

/** Parses a header. Letter case is ignored, except in the names of custom fields (`custom.grade`). */
export function columnsOfHeader(header: readonly string[]): Column[] {
  return header.map((cell) => {
    const name = cell.trim();
    if (name.toLowerCase().startsWith(CUSTOM)) return { custom: name.slice(CUSTOM.length) };
    const field = BY_NAME.get(name.toLowerCase());
    return field === undefined ? null : { field };
  });
}

/** The request body of a row; empty cells are omitted fields. */
export function requestOfRow(columns: readonly Column[], cells: readonly string[]): object {
  const request: Record<string, unknown> = {};
  const custom: [string, string][] = [];
  columns.forEach((column, i) => {
    const cell = withoutGuard(cells[i] ?? '');
    if (column === null || cell.trim() === '') return;
    if ('custom' in column) custom.push([column.custom, cell]);
    else request[column.field] = FIELDS[column.field](cell);
  });
  if (custom.length === 0) return request;
  const { customFields } = request;
  const known = typeof customFields === 'object' && customFields !== null ? customFields : {};
  return { ...request, customFields: { ...known, ...Object.fromEntries(custom) } };
}
