import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, type ValidationArguments } from 'class-validator';

/** What is wrong with a value, in words that follow the field's name; null when nothing is. */
export type Check = (value: unknown, object: object) => string | null;

export interface AtomOptions {
  description: string;
  /** Shown in the OpenAPI document; make it one that the API would take. */
  example?: unknown;
  /** The field may be absent or null. */
  optional?: boolean;
  default?: unknown;
}

/** A check and its documentation in one decorator, so that the OpenAPI document can't disagree with the code. */
export function atom(
  name: string,
  check: Check,
  api: ApiPropertyOptions,
  options: AtomOptions,
): PropertyDecorator {
  const optional = options.optional === true || options.default !== undefined;
  const problemOf: Check = (value, object) => {
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

/** A field with a default has no use for null; clients that send every field get what those get that leave it out. */
function nullMeans(fallback: unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (value === null ? fallback : value));
}

/** Query strings and paths carry text: turns it into what the atom checks; what does not fit stays and fails there. */
export function fromText(parse: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? parse(value) : value));
}

const CONTROL = '\u0000';

/** Text that Postgres and UTF-8 can hold: no NUL, no half of a surrogate pair. */
export function textProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.includes(CONTROL)) return 'must not contain the character U+0000';
  if (!value.isWellFormed()) return 'must be valid Unicode text';
  return null;
}
