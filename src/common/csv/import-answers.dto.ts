import { TEXTS, Field } from '../http/api-field';
import { QueryInt } from '../validation/atoms';
import { OnlyKnownNames } from '../validation/known-names';

/** Maximum number of failed rows in a response: for links, and for parts of 500 rows sent by the console. */
export const MAX_ERRORS = 100;
export const MAX_CONSOLE_ERRORS = 500;

export function MaxErrors(listed: number): PropertyDecorator {
  return QueryInt({
    min: 1,
    max: 1_000,
    default: listed,
    description: 'Failed rows that the answer lists',
    example: listed,
  });
}

@OnlyKnownNames()
export class ImportRowsQuery {
  @MaxErrors(MAX_CONSOLE_ERRORS)
  maxErrors: number = MAX_CONSOLE_ERRORS;
}

export function RowValues({ required = true } = {}): PropertyDecorator {
  return Field(
    'The cells of the row by the names of their columns, as the file has them; empty once the answer holds 1 MiB of them',
    { 'Phone Number': '010-12', Name: 'Kim Minji' },
    { type: 'object', additionalProperties: { type: 'string' }, selfRequired: required },
  );
}

export function IgnoredColumns(): PropertyDecorator {
  return Field('Unused columns, as named in the header row', ['clickCount'], TEXTS);
}
