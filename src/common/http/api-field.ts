import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

/**
 * A field of a response in the OpenAPI document.
 * @param example a value that the field may have
 * @param more its schema, where the type of the property does not say it
 */
export function Field(
  description: string,
  example?: unknown,
  more: ApiPropertyOptions = {},
): PropertyDecorator {
  const shown = example === undefined ? {} : { example };
  return ApiProperty({ description, ...shown, ...more } as ApiPropertyOptions);
}

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
