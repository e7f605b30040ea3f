import { ApiProperty } from '@nestjs/swagger';
import {
  IgnoredColumns,
  MAX_CONSOLE_ERRORS,
  MaxErrors,
  RowValues,
} from '../../../common/csv/import-answers.dto';
import { type Channel, CHANNELS } from '../../../common/phone/channel-value';
import { OneOf, Text } from '../../../common/validation/atoms';
import { UncheckedList } from '../../../common/validation/lists';
import { type Method, METHODS } from '../unsubscribe';
import { MAX_ITEMS, MAX_SOURCE } from '../unsubscribes.dto';

const IMPORT_METHODS = METHODS.filter((method) => method !== 'API');

/** Shared by all entries of an import. */
class SharedFields {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @OneOf(IMPORT_METHODS, {
    default: 'CSV',
    description: 'Source of the opt-outs: toll-free call, opt-out link, console entry',
    example: '080',
  })
  method: Method = 'CSV';

  @Text({
    max: MAX_SOURCE,
    optional: true,
    description: 'Your description of the source; an item or row may have its own',
    example: '080-123-4567',
  })
  source?: string | null;
}

/** Of a CSV file. */
export class ImportQuery extends SharedFields {
  @MaxErrors(MAX_CONSOLE_ERRORS)
  maxErrors: number = MAX_CONSOLE_ERRORS;
}

class ImportItem {
  @ApiProperty({ description: 'Phone number or e-mail address', example: '+821012345678' })
  value!: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'Your description of the source',
    example: '080-123-4567',
  })
  source?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'When the person opted out, not in the future; default is the time of the import',
    example: '2026-11-20T08:32:00Z',
  })
  unsubscribedAt?: string | null;
}

export class ImportRequest extends SharedFields {
  @UncheckedList(() => ImportItem, {
    min: 1,
    max: MAX_ITEMS,
    description: 'Entries; an invalid one does not affect the others',
  })
  items!: unknown[];
}

export class ImportProblem {
  @ApiProperty({
    type: 'integer',
    description: 'Index of the item or data row, from 0',
    example: 3,
  })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT', 'VALUE_REQUIRED', 'SOURCE_FORMAT', 'UNSUBSCRIBED_AT_FORMAT'],
    description: 'Reason code',
    example: 'PHONE_FORMAT',
  })
  reason!: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'Line of the file where the row starts, from 1; absent for items of JSON',
    example: 5,
  })
  line?: number;

  @RowValues({ required: false })
  values?: Record<string, string>;
}

export class ImportResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ type: 'integer', description: 'Number of items or data rows', example: 120_000 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Number of values newly registered', example: 119_000 })
  accepted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of values that were already registered or repeated',
    example: 990,
  })
  duplicated!: number;

  @ApiProperty({ type: 'integer', description: 'Number of rejected items', example: 10 })
  failed!: number;

  @IgnoredColumns()
  ignoredColumns!: string[];

  @ApiProperty({
    type: ImportProblem,
    isArray: true,
    description: 'The first rejected items, 500 unless `maxErrors` says otherwise',
  })
  invalid!: ImportProblem[];
}
