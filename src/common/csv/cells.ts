import { readList } from './lists';

/**
 * Converts a cell to the value of a request field. Text that cannot be converted is returned unchanged, and fails
 * validation.
 */
type ReadCell = (cell: string) => unknown;

export const text: ReadCell = (cell) => cell;
export const trimmed: ReadCell = (cell) => cell.trim();
export const integer: ReadCell = (cell) => (/^\s*\d{1,16}\s*$/.test(cell) ? Number(cell) : cell);
export const truth: ReadCell = (cell) => {
  const word = cell.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
export const json: ReadCell = (cell) => {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
};
export const list: ReadCell = readList;

const OTHER_FORM = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?) ?(?:(Z|UTC)|([+-]\d\d):?(\d\d)?)$/;

/** Also accepts the format of databases (`2024-05-01 10:00:00+00`) and Unix time in seconds or milliseconds. */
export const dateTime = (cell: string): string => {
  const word = cell.trim();
  if (/^\d{10}(\d{3})?$/.test(word)) {
    return new Date(Number(word) * (word.length === 10 ? 1000 : 1)).toISOString();
  }
  const [, day, time, utc, hours, minutes = '00'] = OTHER_FORM.exec(word) ?? [];
  if (!day || !time) return word;
  return `${day}T${time}${utc ? 'Z' : `${hours}:${minutes}`}`;
};
