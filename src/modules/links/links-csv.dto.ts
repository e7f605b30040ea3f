import { ApiProperty } from '@nestjs/swagger';
import type { DomainError } from '../../common/errors/domain-error';
import { ItemErrorResponse, toItemError } from './links-bulk.dto';

export class ImportErrorResponse extends ItemErrorResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Line of the file at which the row starts, from 1 on',
    example: 2,
  })
  line!: number;
}

export class ImportLinksResponse {
  @ApiProperty({ type: 'integer', description: 'Rows, the header and empty ones apart', example: 2 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Links made', example: 1 })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Rows that came to nothing', example: 1 })
  failed!: number;

  @ApiProperty({ type: ImportErrorResponse, isArray: true, description: 'Why, of the first 100' })
  errors!: ImportErrorResponse[];
}

export function toImportError(line: number, error: DomainError): ImportErrorResponse {
  return Object.assign(new ImportErrorResponse(), { line }, toItemError(error));
}
