import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../../common/phone/channel-value';
import { OneOf, Text } from '../../../common/validation/atoms';
import { UncheckedList } from '../../../common/validation/lists';
import { type Method, METHODS } from '../unsubscribe';
import { MAX_ITEMS, MAX_SOURCE } from '../unsubscribes.dto';

const IMPORT_METHODS = METHODS.filter((method) => method !== 'API');

/** What all entries of an import share; of a CSV file, it is the query. */
export class ImportQuery {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @OneOf(IMPORT_METHODS, {
    default: 'CSV',
    description: 'How they came in: toll-free call, opt-out link, console entry',
    example: '080',
  })
  method: Method = 'CSV';

  @Text({
    max: MAX_SOURCE,
    optional: true,
    description: 'Where they came from; an item or row may have its own',
    example: '080-123-4567',
  })
  source?: string | null;
}

class ImportItem {
  @ApiProperty({ description: 'Phone number or e-mail address', example: '+821012345678' })
  value!: string;

  @ApiProperty({ type: String, required: false, description: 'Where it came from', example: '080-123-4567' })
  source?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'When they opted out, not in the future; the time of the import by default',
    example: '2026-11-20T08:32:00Z',
  })
  unsubscribedAt?: string | null;
}

export class ImportRequest extends ImportQuery {
  @UncheckedList(() => ImportItem, {
    min: 1,
    max: MAX_ITEMS,
    description: 'Entries; a bad one stops no other',
  })
  items!: unknown[];
}

export class ImportProblem {
  @ApiProperty({
    type: 'integer',
    description: 'Place of the item, or of the row of data, from 0',
    example: 3,
  })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as it was sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT', 'VALUE_REQUIRED', 'SOURCE_FORMAT', 'UNSUBSCRIBED_AT_FORMAT'],
    description: 'What is wrong with it',
    example: 'PHONE_FORMAT',
  })
  reason!: string;
}

export class ImportResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ type: 'integer', description: 'Items, or rows of data', example: 120_000 })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Values that are newly registered', example: 119_000 })
  accepted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Values that were registered before, or came twice',
    example: 990,
  })
  duplicated!: number;

  @ApiProperty({ type: 'integer', description: 'Items that were not taken', example: 10 })
  failed!: number;

  @ApiProperty({ type: ImportProblem, isArray: true, description: 'The first 100 of those' })
  invalid!: ImportProblem[];
}
