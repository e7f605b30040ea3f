import { ApiProperty } from '@nestjs/swagger';
import type { DomainError } from '../../../common/errors/domain-error';
import { QueryBool } from '../../../common/validation/atoms';
import { OnlyKnownParameters } from '../../../common/validation/known-parameters';
import { ItemErrorResponse, toItemError } from '../bulk/links-bulk.dto';

@OnlyKnownParameters()
export class ImportLinksQuery {
  @QueryBool({
    description: 'true: check everything and make nothing; the answer says what an import would come to',
    example: false,
    optional: true,
  })
  dryRun?: boolean;
}

export class ImportErrorResponse extends ItemErrorResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file at which the row starts, from 1 on',
    example: 2,
  })
  line!: number;
}

export class ImportLinksResponse {
  @ApiProperty({
    description: 'Whether this is what would happen, and nothing was made',
    example: false,
  })
  dryRun!: boolean;

  @ApiProperty({ type: 'integer', description: 'Rows, the header and empty ones apart', example: 2 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Links made', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that came to nothing', example: 1 })
  failed!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Links made whose row names no alias or code, so that they have a random code',
    example: 0,
  })
  generated!: number;

  @ApiProperty({
    type: String,
    isArray: true,
    description: 'Columns of the file that were not used, as its header row names them',
    example: ['clickCount'],
  })
  ignoredColumns!: string[];

  @ApiProperty({ type: ImportErrorResponse, isArray: true, description: 'Why, of the first 100' })
  errors!: ImportErrorResponse[];
}

export function toImportError(line: number, error: DomainError): ImportErrorResponse {
  return Object.assign(new ImportErrorResponse(), { line }, toItemError(error));
}
