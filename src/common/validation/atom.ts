import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';

/** @returns the problem with a value, worded to follow the field's name, or null */
export type Check = (value: unknown, object: object) => string | null;

export interface AtomOptions {
  description: string;
  /** Example in the OpenAPI document; must be valid. */
  example?: unknown;
  /** Whether the field may be absent or null. */
  optional?: boolean;
  default?: unknown;
  /** Fields whose presence makes this one irrelevant, so that it is not checked. */
  ignoredWith?: readonly string[];
}

/** Combines a check and its documentation in a decorator, so that the OpenAPI document always matches the code. */
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

/** Treats null like an absent value in fields with a default, for clients that always send all fields. */
function nullMeans(fallback: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (value === null ? fallback : value));
}

/**
 * Converts the text of a query or path parameter before the check; text that cannot be converted is kept, and fails the
 * check.
 */
export function fromText(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

const CONTROL = '\u0000';

/** Rejects text that Postgres or UTF-8 cannot represent: NUL, unpaired surrogates. */
export function textProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.includes(CONTROL)) return 'must not contain the character U+0000';
  if (!value.isWellFormed()) return 'must be valid Unicode text';
  return null;
}
