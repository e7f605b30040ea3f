import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';

/** Returns the problem with a value, worded to follow the field's name, or null. */
export type Check = (value: unknown, object: object) => string | null;

export interface AtomOptions {
  description: string;
  /** Shown in the OpenAPI document; must be a valid value. */
  example?: unknown;
  /** The field may be absent or null. */
  optional?: boolean;
  default?: unknown;
  /** Fields with which this one counts for nothing, and is not checked. */
  ignoredWith?: readonly string[];
}

/**
 * Combines a check and its documentation in one decorator, so that the OpenAPI document always matches the
 * code.
 */
export function atom(
  name: string,
  check: Check,
  api: ApiPropertyOptions,
  options: AtomOptions,
): PropertyDecorator {
  const optional = options.optional === true || options.default !== undefined;
  const problemOf: Check = (value, object) => {
    const given = object as Readonly<Record<string, unknown>>;
    if (options.ignoredWith?.some((field) => given[field] !== undefined && given[field] !== null))
      return null;
    const missing = !optional && (value === undefined || value === null);
    return missing ? 'is required' : check(value, object);
  };
  return applyDecorators(
    ApiProperty({
      ...api,
      description: options.description,
      required: !optional,
      ...(options.example !== undefined && { example: options.example }),
      ...(options.default !== undefined && { default: options.default }),
      ...(options.optional && { nullable: true }),
    } as ApiPropertyOptions),
    ...(options.default !== undefined ? [nullMeans(options.default)] : []),
    ...(optional ? [IsOptional()] : []),
    ValidateBy({
      name,
      validator: {
        validate: (value: unknown, args) => problemOf(value, args?.object ?? {}) === null,
        defaultMessage: (args?: ValidationArguments) => problemOf(args?.value, args?.object ?? {}) ?? '',
      },
    }),
  );
}

/** Treats null like an absent value in fields with a default, for clients that always send every field. */
function nullMeans(fallback: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (value === null ? fallback : value));
}

/**
 * Converts the text of queries and paths for the check; text that cannot be converted stays, and fails the
 * check.
 */
export function fromText(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

const CONTROL = '\u0000';

/** Checks for text that Postgres and UTF-8 can hold: no NUL, no unpaired surrogate. */
export function textProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.includes(CONTROL)) return 'must not contain the character U+0000';
  if (!value.isWellFormed()) return 'must be valid Unicode text';
  return null;
}
