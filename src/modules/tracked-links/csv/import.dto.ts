import { INTEGER, Field } from '../../../common/http/api-field';
import type { DomainError } from '../../../common/errors/domain-error';
import { IgnoredColumns, MAX_ERRORS, MaxErrors, RowValues } from '../../../common/csv/import-answers.dto';
import { QueryBool } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { ItemErrorResponse, toItemError } from '../bulk/bulk.dto';

@OnlyKnownNames()
export class LinkImportQuery {
  @MaxErrors(MAX_ERRORS)
  maxErrors: number = MAX_ERRORS;

  @QueryBool({
    description: 'true: validate every row and report the result of an import without creating anything',
    example: false,
    optional: true,
  })
  dryRun?: boolean;
}

export class ImportErrorResponse extends ItemErrorResponse {
  @Field('Line of the file at which the row starts, from 1; of JSON, the position of the item', 2, INTEGER)
  line!: number;

  @RowValues()
  values!: Record<string, string>;
}

export class LinkImportResponse {
  @Field('Whether this was a dry run, which creates nothing', false)
  dryRun!: boolean;

  @Field('Rows, not counting the header and empty ones', 2, INTEGER)
  total!: number;

  @Field('Rows created', 1, INTEGER)
  created!: number;

  @Field('Rows that failed', 1, INTEGER)
  failed!: number;

  @Field('Rows that got a random code because their row has no alias or code', 0, INTEGER)
  generated!: number;

  @Field('Rows whose code new aliases cannot have, and which keep it', 0, INTEGER)
  legacyCodes!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @Field('The first failed rows, 100 unless `maxErrors` says otherwise', undefined, {
    type: ImportErrorResponse,
    isArray: true,
  })
  errors!: ImportErrorResponse[];
}

export function toImportError(
  line: number,
  error: DomainError,
  values: Record<string, string>,
): ImportErrorResponse {
  return Object.assign(new ImportErrorResponse(), { line }, toItemError(error), { values });
}
