import type { components } from '../api/schema.gen';
import { KOREAN_CODES, KOREAN_FIELDS, KOREAN_PROBLEMS, KOREAN_WORDS } from './problems-ko';

type ApiError = components['schemas']['ErrorResponse'];
type FieldProblem = NonNullable<ApiError['details']>[number];

/** The problem of a field in Korean; null if it is unknown. */
export function koreanProblem(message: string): string | null {
  for (const [english, korean] of KOREAN_PROBLEMS) {
    const values = valuesIn(message, english);
    if (values) return filled(korean, (name) => valueOf(name, values.get(name) ?? ''));
  }
  return null;
}

function valueOf(name: string, value: string): string {
  return name === 'problem' ? (koreanProblem(value) ?? KOREAN_CODES.VALIDATION_FAILED) : value;
}

/** The text of an error in Korean: by its fields if it has any, else by its code. */
export function koreanError(error: ApiError): string {
  const details = error.details ?? [];
  return details.length > 0 ? details.map(koreanDetail).join(' / ') : ofCode(error.code, error);
}

/**
 * The API's message about one row or item in Korean, such as `customAlias: is a reserved word; title: …`, else the text
 * of its code.
 */
export function koreanMessage(message: string, code = 'VALIDATION_FAILED'): string {
  const known = (text: string): string | null => {
    const [, line, rest = ''] = /^line (\d+):? (.*)$/s.exec(text) ?? [];
    if (line !== undefined) return `${line}행: ${known(rest) ?? KOREAN_CODES.VALIDATION_FAILED}`;
    const [, field = '', problem = ''] = /^([\w.[\]]+): (.*)$/s.exec(text) ?? [];
    if (field !== '') return koreanDetail({ field, message: problem });
    return koreanProblem(text);
  };
  const parts = message.split(/; (?=[\w.[\]]+: )/).map(known);
  return parts.every((part) => part !== null) ? parts.join(' / ') : ofCode(code, {});
}

/** @param error has the fields that the text refers to */
function ofCode(code: string, error: object): string {
  const fields = new Map<string, unknown>(Object.entries(error));
  // A newer service may have other codes.
  const text = (KOREAN_CODES as Readonly<Record<string, string>>)[code] ?? KOREAN_CODES.VALIDATION_FAILED;
  const missing = [...text.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => !fields.has(name));
  const whole = missing ? (text.split(/[(:]/, 1)[0] ?? '').trimEnd() : text;
  return filled(whole, (name) => {
    const value = fields.get(name);
    if (typeof value === 'number') return value.toLocaleString('ko-KR');
    return typeof value === 'string' ? (KOREAN_WORDS[value] ?? value) : '';
  });
}

/** One field of an error. */
export function koreanDetail({ field, message }: FieldProblem): string {
  const name = KOREAN_FIELDS[field.replace(/[.[].*/s, '')];
  const problem = koreanProblem(message) ?? KOREAN_CODES.VALIDATION_FAILED;
  return name === undefined ? problem : `${name}: ${problem}`;
}

/**
 * The values of the names in a form such as `must have {min} to {max} items`, in a message; null if it does not match.
 */
function valuesIn(message: string, form: string): ReadonlyMap<string, string> | null {
  // Fixed text at even indexes, names at odd ones.
  const parts = form.split(/[{}]/);
  const last = parts.length - 1;
  const values = new Map<string, string>();
  if (last === 0) return message === form ? values : null;
  const [start = ''] = parts;
  if (!message.startsWith(start)) return null;
  let at = start.length;
  for (let index = 2; index <= last; index += 2) {
    const text = parts[index] ?? '';
    const end = index === last ? message.length - text.length : message.indexOf(text, at + 1);
    if (end <= at || (index === last && !message.endsWith(text))) return null;
    values.set(parts[index - 1] ?? '', message.slice(at, end));
    at = end + text.length;
  }
  return values;
}

function filled(text: string, valueOfName: (name: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOfName(name));
}
