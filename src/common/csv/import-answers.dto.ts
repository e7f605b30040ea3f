import { ApiProperty } from '@nestjs/swagger';
import { QueryInt } from '../validation/atoms';
import { OnlyKnownNames } from '../validation/known-names';

export const MAX_ERRORS = 100;

/** How many failed rows the answer to an import lists. */
export function MaxErrors(): PropertyDecorator {
  return QueryInt({
    min: 1,
    max: 1_000,
    default: MAX_ERRORS,
    description: 'Failed rows that the answer lists',
    example: 500,
  });
}

@OnlyKnownNames()
export class ImportRowsQuery {
  @MaxErrors()
  maxErrors: number = MAX_ERRORS;
}

/** The values of a failed row. */
export function RowValues({ required = true } = {}): PropertyDecorator {
  return ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    selfRequired: required,
    description:
      'The cells of the row by the names of their columns, as the file has them; empty once the answer holds 1 MiB of them',
    example: { 'Phone Number': '010-12', Name: 'Kim Minji' },
  });
}

export function IgnoredColumns(): PropertyDecorator {
  return ApiProperty({
    type: String,
    isArray: true,
    description: 'Unused columns, as named in the header row',
    example: ['clickCount'],
  });
}
