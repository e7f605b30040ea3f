import { applyDecorators } from '@nestjs/common';
import { ValidateNested } from 'class-validator';
import { isUrl } from '../host-name';
import { type AtomOptions, atom, fromText, textProblem } from './atom';
import { parseDateTime } from '../time/parse';
import { nestedClass } from './to-request';
import { identifierProblem, isBlank } from './visible-text';

export interface TextOptions extends AtomOptions {
  max: number;
  min?: number;
  /** Whether text without a visible character is rejected; true by default if empty text is rejected. */
  visible?: boolean;
  /** Whether invisible characters are rejected; see `Identifier`. */
  identifier?: boolean;
  pattern?: RegExp;
  /** Describes what the pattern requires; used as the error message. */
  patternText?: string;
}

/** A string of `min` (default 1 when required, else 0) to `max` characters (code points). */
export function Text(options: TextOptions): PropertyDecorator {
  const min = options.min ?? (options.optional ? 0 : 1);
  const visible = options.visible ?? min > 0;
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem) return problem;
    const length = Array.from(value as string).length;
    if (length < min) return min === 1 ? 'must not be empty' : `must be at least ${min} characters long`;
    if (length > options.max) return `must be at most ${options.max} characters long`;
    if (visible && length > 0 && isBlank(value as string)) return 'must not be blank';
    const hidden = options.identifier ? identifierProblem(value as string) : null;
    if (hidden) return hidden;
    if (options.pattern && !options.pattern.test(value as string)) {
      return options.patternText ?? `must match ${options.pattern.source}`;
    }
    return null;
  };
  const api = { type: String, maxLength: options.max, ...(min > 0 && { minLength: min }) };
  const pattern =
    options.pattern?.source ?? (visible ? (min > 0 ? String.raw`\S` : String.raw`^$|\S`) : undefined);
  return atom('text', check, pattern === undefined ? api : { ...api, pattern }, options);
}

/** Text that identifies something, in which invisible characters are rejected. */
export function Identifier(options: TextOptions): PropertyDecorator {
  return Text({ visible: true, ...options, identifier: true });
}

/** The type of a conversion: a preset, or a name of the customer's choice. */
export function GoalType(options: Omit<TextOptions, 'max'>): PropertyDecorator {
  return Identifier({ ...options, max: 50 });
}

/**
 * Text that clients copy from their environment, such as a page's URL. Longer text is accepted and truncated, so that
 * the rest of the request is not lost. Code that stores it must call `cut`.
 */
export function CutText({ max, description, ...options }: AtomOptions & { max: number }): PropertyDecorator {
  return atom(
    'text',
    textProblem,
    { type: String },
    { ...options, description: `${description}. Truncated to ${max} characters` },
  );
}

/**
 * A code or alias: letters, digits, `-`, `_`; at most 50 characters
 * (docs/concepts/links.md#codes-and-aliases).
 */
export function Alias(options: AtomOptions): PropertyDecorator {
  return Text({
    ...options,
    min: 1,
    max: 50,
    pattern: /^[A-Za-z0-9_-]+$/,
    patternText: 'must contain only letters, digits, "-" and "_"',
  });
}

export const HTTPS_URL_PROBLEM = 'must be a valid URL that starts with https://';

function url(name: string, start: string, options: AtomOptions & { max: number }): PropertyDecorator {
  const form = new RegExp(start, 'i');
  const check = (value: unknown) => {
    const problem = textProblem(value);
    if (problem) return problem;
    const text = value as string;
    if (Array.from(text).length > options.max) return `must be at most ${options.max} characters long`;
    return form.test(text) && !/[\s\\]/.test(text) && isUrl(text) ? null : HTTPS_URL_PROBLEM;
  };
  return atom(name, check, { type: String, format: 'uri', maxLength: options.max, pattern: start }, options);
}

/** A URL that starts with https://, at most `max` characters. The service checks its host. */
export function HttpsUrl(options: AtomOptions & { max: number }): PropertyDecorator {
  return url('httpsUrl', '^https://', options);
}

/** A destination, which may start with http:// if the organization allows it; the service checks that and its host. */
export function DestinationUrl(options: AtomOptions & { max: number }): PropertyDecorator {
  return url('destinationUrl', '^https?://', options);
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

function integerCheck(min: number, max: number) {
  return (value: unknown) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? null
      : `must be an integer from ${min} to ${max}`;
}

export function Int(options: AtomOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return atom('int', integerCheck(min, max), { type: 'integer', minimum: min, maximum: max }, options);
}

export function Id(options: AtomOptions): PropertyDecorator {
  return atom('id', integerCheck(1, MAX_ID), { type: 'integer', format: 'int64', minimum: 1 }, options);
}

const parseInteger = (text: string) => (/^-?\d{1,16}$/.test(text) ? Number(text) : text);

export function QueryInt(options: AtomOptions & { min: number; max: number }): PropertyDecorator {
  return applyDecorators(fromText(parseInteger), Int(options));
}

/** A resource id in a path or query string. */
export function PathId(options: Partial<AtomOptions> = {}): PropertyDecorator {
  return applyDecorators(
    fromText(parseInteger),
    Id({ description: 'Id of the resource', example: 1, ...options }),
  );
}

/** Ids in a repeatable query parameter. */
export function QueryIds({ max, ...options }: AtomOptions & { max: number }): PropertyDecorator {
  const checkId = integerCheck(1, MAX_ID);
  const check = (given: unknown) => {
    const ids = [given].flat();
    if (ids.length > max) return `must be given at most ${max} times`;
    const problems = ids.map((id) => checkId(parseInteger(String(id))));
    return problems.find((problem) => problem !== null) ?? null;
  };
  const items = { type: 'integer', format: 'int64', minimum: 1 } as const;
  return applyDecorators(
    fromText((text) => [text]),
    atom('ids', check, { type: 'array', items, maxItems: max }, options),
  );
}

export function Bool(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) => (typeof value === 'boolean' ? null : 'must be true or false');
  return atom('bool', check, { type: Boolean }, options);
}

export function QueryBool(options: AtomOptions): PropertyDecorator {
  const parse = (text: string) => (text === 'true' ? true : text === 'false' ? false : text);
  return applyDecorators(fromText(parse), Bool(options));
}

export function OneOf(values: readonly string[], options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'string' && values.includes(value) ? null : `must be one of ${values.join(', ')}`;
  return atom('oneOf', check, { type: String, enum: [...values] }, options);
}

/** One of these words in a query string, in any case. */
export function OneOfAnyCase(values: readonly string[], options: AtomOptions): PropertyDecorator {
  const known = (text: string) => values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text;
  return applyDecorators(fromText(known), OneOf(values, options));
}

/** A time: ISO 8601, `yyyy-MM-dd HH:mm[:ss]`, or a date (the end of that day), in UTC unless it has an offset. */
export function DateTimeText(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'string' && parseDateTime(value)
      ? null
      : 'must be a date-time such as 2026-11-20T08:32:00Z';
  return atom('dateTime', check, { type: String }, { example: '2026-12-31T23:59:59Z', ...options });
}

/** An existing day, `YYYY-MM-DD`. */
export function DateText(options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseDateTime(value)
      ? null
      : 'must be a date such as 2026-11-20';
  return atom('date', check, { type: String, format: 'date' }, { example: '2026-11-20', ...options });
}

/** An object of another request class, validated by its own atoms. */
export function Nested(type: () => new () => object, options: AtomOptions): PropertyDecorator {
  const check = (value: unknown) =>
    typeof value === 'object' && !Array.isArray(value) ? null : 'must be an object';
  return applyDecorators(
    // Swagger recognizes a deferred class by the name `type` of its function.
    atom('nested', check, { type: () => type() }, options),
    ValidateNested({ message: 'must be an object' }),
    nestedClass(type),
  );
}
