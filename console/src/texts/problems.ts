import type { components } from '../api/schema.gen';
import { KOREAN_CODES, KOREAN_FIELDS, KOREAN_PROBLEMS, KOREAN_WORDS } from './problems-ko';

type ApiError = components['schemas']['ErrorResponse'];
type FieldProblem = NonNullable<ApiError['details']>[number];

const patterns = KOREAN_PROBLEMS.map(([english, korean]) => ({ form: formOf(english), korean }));

/** The problem of a field in Korean; null if it is not known. */
export function koreanProblem(message: string): string | null {
  for (const { form, korean } of patterns) {
    const found = form.exec(message);
    if (!found) continue;
    return korean.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = found.groups?.[name] ?? '';
      return name === 'problem' ? (koreanProblem(value) ?? KOREAN_CODES.VALIDATION_FAILED) : value;
    });
  }
  return null;
}

/** What an error says in Korean: by its fields if it names any, else by its code. */
export function koreanError(error: ApiError): string {
  const details = error.details ?? [];
  return details.length > 0 ? details.map(koreanDetail).join(' / ') : ofCode(error.code, error);
}

/** What the API said of one row or item, such as `customAlias: is a reserved word; title: …`, else its code. */
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

/** @param error has the fields that its text names */
function ofCode(code: string, error: object): string {
  const fields = new Map<string, unknown>(Object.entries(error));
  // A later version of the service may know more codes.
  const text = (KOREAN_CODES as Readonly<Record<string, string>>)[code] ?? KOREAN_CODES.VALIDATION_FAILED;
  const needed = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const whole = needed.every((name) => fields.has(name)) ? text : text.replace(/\s*[(:].*$/, '');
  return whole.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
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

/** `must have {min} to {max} items` as an expression. */
function formOf(text: string): RegExp {
  const parts = text.split(/(\{\w+\})/).map((part) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : `(?<${name}>.+?)`;
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}
