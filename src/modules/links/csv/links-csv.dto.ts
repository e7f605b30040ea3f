import { ApiProperty } from '@nestjs/swagger';
import type { DomainError } from '../../../common/errors/domain-error';
import { IgnoredColumns, MAX_ERRORS, MaxErrors, RowValues } from '../../../common/csv/import-answers.dto';
import { QueryBool } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { ItemErrorResponse, toItemError } from '../bulk/links-bulk.dto';

@OnlyKnownNames()
export class ImportLinksQuery {
  @MaxErrors(MAX_ERRORS)
  maxErrors: number = MAX_ERRORS;

  @QueryBool({
    description: 'true: validate every row and report the result of an import without creating any links',
    example: false,
    optional: true,
  })
  dryRun?: boolean;
}

export class ImportErrorResponse extends ItemErrorResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file at which the row starts, from 1',
    example: 2,
  })
  line!: number;

  @RowValues()
  values!: Record<string, string>;
}

export class ImportLinksResponse {
  @ApiProperty({
    description: 'Whether this was a dry run, which creates no links',
    example: false,
  })
  dryRun!: boolean;

  @ApiProperty({ type: 'integer', description: 'Rows, not counting the header and empty ones', example: 2 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Links created', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that failed', example: 1 })
  failed!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Links created with a random code because their row has no alias or code',
    example: 0,
  })
  generated!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @ApiProperty({
    type: ImportErrorResponse,
    isArray: true,
    description: 'The first failed rows, 100 unless `maxErrors` says otherwise',
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
