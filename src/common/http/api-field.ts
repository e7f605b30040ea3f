import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/**
 * A response field in the OpenAPI document.
 * @param example an example value
 * @param more further parts of the schema, if the property's type does not determine them
 */
export function Field(
  description: string,
  example?: unknown,
  more: ApiPropertyOptions = {},
): PropertyDecorator {
  const shown = example === undefined ? {} : { example };
  return ApiProperty({ description, ...shown, ...more });
}

export const listOf = (type: Type) => ({ type, isArray: true }) as const;

export const INTEGER = { type: 'integer' } as const;
export const INTEGER_OR_NULL = { type: 'integer', nullable: true } as const;
export const INT64 = { type: 'integer', format: 'int64' } as const;
export const INT64_OR_NULL = { ...INT64, nullable: true } as const;
export const NUMBER_OR_NULL = { type: Number, nullable: true } as const;
export const TEXT_OR_NULL = { type: String, nullable: true } as const;
export const TEXTS = { type: String, isArray: true } as const;
export const DATE_OR_NULL = { type: String, format: 'date', nullable: true } as const;
export const DATE_TIME = { format: 'date-time' } as const;
export const DATE_TIME_OR_NULL = { type: String, format: 'date-time', nullable: true } as const;
