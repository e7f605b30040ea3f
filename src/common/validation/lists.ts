import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateNested } from 'class-validator';
import { type AtomOptions, atom, type Check, fromText, textProblem } from './atom';
import { nestedClass } from './to-request';
import { identifierProblem, isBlank } from './visible-text';

interface ListOptions extends AtomOptions {
  min?: number;
  max: number;
}

/** Checks an array of `min` (default 0) to `max` items, each with `item`. */
function listCheck(item: Check, { min = 0, max }: ListOptions): Check {
  return (value, object) => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length < min || value.length > max) {
      return min === 0 ? `must have at most ${max} items` : `must have ${min} to ${max} items`;
    }
    for (const [i, each] of value.entries()) {
      const problem = item(each, object);
      if (problem !== null) return `item ${i} ${problem}`;
    }
    return null;
  };
}

function lengthOf({ min, max }: ListOptions) {
  return { maxItems: max, ...(min !== undefined && { minItems: min }) };
}

function valueList(item: Check, api: object, options: ListOptions): PropertyDecorator {
  const list = { type: 'array', items: api, ...lengthOf(options) } as ApiPropertyOptions;
  return atom('list', listCheck(item, options), list, options);
}

/** An array of resource ids. @param of the kind of resource, for messages */
export function IdList({ of, ...options }: ListOptions & { of: string }): PropertyDecorator {
  const check: Check = (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
      ? null
      : `must be the id of a ${of}`;
  return valueList(check, { type: 'integer', format: 'int64', minimum: 1 }, options);
}

interface TextListOptions extends ListOptions {
  length: number;
  /** Whether invisible characters are rejected, as in tags. */
  identifiers?: boolean;
  /** Reserved texts, rejected in any letter case, because responses use them with another meaning. */
  reserved?: readonly string[];
}

/** An array of strings of 1 to `length` characters after trimming, without control characters. */
export function TextList(options: TextListOptions): PropertyDecorator {
  const check: Check = (value) => {
    const problem = textProblem(value);
    if (problem !== null) return problem;
    const text = (value as string).trim();
    if (isBlank(text)) return 'must not be empty';
    if (Array.from(text).length > options.length) return `must be at most ${options.length} characters long`;
    if (options.reserved?.includes(text.toLowerCase())) return `must not be ${text}, which is reserved`;
    if (options.identifiers) return identifierProblem(text);
    return /\p{Cc}/u.test(text) ? 'must not contain control characters' : null;
  };
  return valueList(check, { type: 'string', minLength: 1, maxLength: options.length }, options);
}

/** A query parameter that may be repeated, with a string as in `TextList` each time. */
export function RepeatedText(options: TextListOptions): PropertyDecorator {
  return applyDecorators(
    fromText((text) => [text]),
    TextList(options),
  );
}

interface WordListOptions extends ListOptions {
  /** Message for an unknown word. */
  problem?: string;
  /** A word that stands for all of them and must be alone. */
  every?: string;
}

export function WordList(words: ReadonlySet<string>, options: WordListOptions): PropertyDecorator {
  const problem = options.problem ?? `must be one of ${[...words].join(', ')}`;
  const item: Check = (value) => (typeof value === 'string' && words.has(value) ? null : problem);
  const list = listCheck(item, options);
  const { every } = options;
  const check: Check = (value, object) => {
    const found = list(value, object);
    if (found !== null || every === undefined) return found;
    const chosen = new Set(value as string[]);
    return chosen.has(every) && chosen.size > 1 ? `must not have other items beside ${every}` : null;
  };
  const items = { type: 'string', enum: [...words] };
  return atom('list', check, { type: 'array', items, ...lengthOf(options) }, options);
}

/** An array whose items the handler validates one by one. */
export function UncheckedList(type: () => new () => object, options: ListOptions): PropertyDecorator {
  const api = { type: () => type(), isArray: true, ...lengthOf(options) } as ApiPropertyOptions;
  return atom(
    'list',
    listCheck(() => null, options),
    api,
    options,
  );
}

export function NestedList(type: () => new () => object, options: ListOptions): PropertyDecorator {
  const check: Check = (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object';
  // Swagger recognizes a deferred class by the name `type` of its function.
  const api = { type: () => type(), isArray: true, ...lengthOf(options) } as ApiPropertyOptions;
  return applyDecorators(
    atom('list', listCheck(check, options), api, options),
    ValidateNested({ each: true, message: 'must be an array of objects' }),
    nestedClass(type),
  );
}
