import { integer, json, list, text, truth } from '../../../common/csv/cells';
import { writeList } from '../../../common/csv/lists';
import { EMAIL_NAMES, PHONE_NAMES } from '../../../common/csv/names';
import { meaningsOf, Table, type TableField } from '../../../common/csv/table';
import { guarded } from '../../../common/csv/write-csv';
import { CONSENTS } from '../contact';
import { OPT_OUT_CHANNELS } from '../contact-opt-outs';
import type { ContactResponse } from '../contact-response.dto';
import type { ContactRequest } from '../contacts.dto';

type Cell = string | number | boolean | null;
type Exported = Exclude<keyof ContactResponse, 'groupIds' | 'optedOut'>;

/** Columns of an export, named as in the API; those that are request fields can be imported again. */
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
  if (column === 'tags') return writeList(contact.tags);
  if (column === 'customFields') {
    return Object.keys(contact.customFields).length > 0 ? JSON.stringify(contact.customFields) : null;
  }
  return contact[column];
}

const TRUTH: TableField = { read: truth };

/** Fields of contacts, with column names of other products. */
const FIELDS: Readonly<Record<keyof ContactRequest, TableField>> = {
  name: {
    read: text,
    names: [
      'fullName',
      'displayName',
      'contactName',
      'customerName',
      'memberName',
      'userName',
      '이름',
      '성명',
      '고객명',
      '회원명',
    ],
    kind: 'free',
  },
  phoneNumber: { read: text, names: PHONE_NAMES, perRow: true },
  email: { read: text, names: EMAIL_NAMES, perRow: true },
  externalUserId: {
    read: text,
    names: [
      'externalId',
      'userId',
      'customerId',
      'memberId',
      'customerUserId',
      'uid',
      '회원번호',
      '회원아이디',
      '회원ID',
      '고객번호',
      '고객ID',
    ],
  },
  pushIdentify: { read: text },
  pushTokenIdx: { read: integer },
  locale: { read: text, names: ['language', 'lang'] },
  pushOptIn: TRUTH,
  smsOptIn: TRUTH,
  emailOptIn: TRUTH,
  alimtalkOptIn: TRUTH,
  whatsappOptIn: TRUTH,
  pushAdOptIn: TRUTH,
  smsAdOptIn: TRUTH,
  emailAdOptIn: TRUTH,
  alimtalkAdOptIn: TRUTH,
  nightAdOptIn: TRUTH,
  tags: { read: list, names: ['labels', 'tagNames', '태그'] },
  customFields: { read: json },
  groupId: { read: integer },
};

const NAME_PARTS: Readonly<Record<string, TableField>> = {
  firstName: { read: text, names: ['givenName'], kind: 'free' },
  lastName: { read: text, names: ['familyName', 'surname'], kind: 'free' },
};
const READ: Readonly<Record<string, TableField>> = { ...FIELDS, ...NAME_PARTS };

const find = meaningsOf(READ);
const CUSTOM = /^\s*custom\.\s*\S/i;
const CUSTOM_FIELD = { kind: 'free' } as const;

/** The columns of a header. Names of custom fields (`custom.Grade`) are taken literally. */
export function tableOf(header: readonly string[]): Table {
  const meaningOf = (name: string) =>
    CUSTOM.test(name) ? { field: `custom.${name.trim().slice('custom.'.length)}`, rank: 0 } : find(name);
  return new Table(header, meaningOf, (field) => (CUSTOM.test(field) ? CUSTOM_FIELD : READ[field]));
}

/** The request body of a row; empty cells are omitted fields. */
export function requestOfRow(table: Table, cells: readonly string[]): object {
  const request: Record<string, unknown> = {};
  const custom: [string, string][] = [];
  for (const [field, cell] of table.given(cells)) {
    if (CUSTOM.test(field)) custom.push([field.slice('custom.'.length), cell]);
    else request[field] = READ[field]?.read(cell);
  }
  const { firstName, lastName, ...rest } = request;
  const name = rest.name ?? fullName(firstName, lastName);
  const body = { ...rest, ...(name !== '' && { name }) };
  const known = rest.customFields ?? {};
  // Anything but an object is left unchanged, and fails validation.
  if (custom.length === 0 || typeof known !== 'object' || Array.isArray(known)) return body;
  return { ...body, customFields: { ...known, ...Object.fromEntries(custom) } };
}

/** In Chinese, Japanese and Korean, the family name comes first, without a space. */
function fullName(first: unknown = '', last: unknown = ''): string {
  const [given, family] = [String(first).trim(), String(last).trim()];
  const isEastAsian = /^[\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+$/u.test(given + family);
  return isEastAsian ? family + given : `${given} ${family}`.trim();
}
