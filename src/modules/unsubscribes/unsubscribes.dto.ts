import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../common/phone/channel-value';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf, QueryBool, Text } from '../../common/validation/atoms';
import { TextList, UncheckedList } from '../../common/validation/lists';
import { METHODS, type Unsubscribe } from './unsubscribe';
import { ChannelQuery } from './feeds/unsubscribe-feeds.dto';

export const MAX_ITEMS = 1000;
export const MAX_SOURCE = 200;
/** Longer than any address or written phone number. */
export const MAX_VALUE = 320;

const VALUE = 'Phone number in any common notation, or e-mail address, depending on the channel';
const NUMBER = '+821012345678';

const value = () => Text({ min: 1, max: MAX_VALUE, description: VALUE, example: NUMBER });

const source = (description: string) =>
  Text({ max: MAX_SOURCE, optional: true, description, example: 'customer center' });
const unsubscribedAt = (description: string) =>
  DateTimeText({ optional: true, description, example: '2026-11-20T08:32:00Z' });

export class ValueQuery extends ChannelQuery {
  @value()
  value!: string;
}

export class RegisterRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @value()
  value!: string;

  @source('Your description of the source')
  source?: string | null;

  @unsubscribedAt('When the person opted out, not in the future; default is the time of the request')
  unsubscribedAt?: string | null;
}

class BulkItem {
  @ApiProperty({ description: VALUE, example: NUMBER })
  value!: string;

  @ApiProperty({
    type: String,
    required: false,
    description: `Your description of the source, at most ${MAX_SOURCE} characters; default is that of the request`,
    example: 'customer center',
  })
  source?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'When the person opted out, not in the future; default is that of the request',
    example: '2026-11-20T08:32:00Z',
  })
  unsubscribedAt?: string | null;
}

export class BulkRegisterRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @source('Source of items without one')
  source?: string | null;

  @unsubscribedAt('Opt-out time of items without one, not in the future; default is the time of the request')
  unsubscribedAt?: string | null;

  @UncheckedList(() => BulkItem, {
    min: 1,
    max: MAX_ITEMS,
    description: 'Values to register; an invalid one does not affect the others',
  })
  items!: unknown[];
}

export class BulkQuery {
  @QueryBool({
    default: false,
    description: 'Whether to respond at once and continue in the background',
    example: false,
  })
  async: boolean = false;
}

export class BulkRemoveRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @TextList({ min: 1, max: MAX_ITEMS, length: MAX_VALUE, description: 'Values to delete', example: [NUMBER] })
  values!: string[];
}

export class OptOutEntry {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the entry', example: 42 })
  id!: number;

  @ApiProperty({ enum: METHODS, description: 'Source of the opt-out', example: 'API' })
  method!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Your description of the source',
    example: 'customer center',
  })
  source!: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'When the person opted out',
    example: '2026-11-20T08:32:00Z',
  })
  unsubscribedAt!: string;
}

export class RegisteredResponse extends OptOutEntry {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'The normalized value: E.164 or lower case', example: NUMBER })
  value!: string;

  @ApiProperty({ description: 'Whether it was already registered; nothing has changed then', example: false })
  duplicated!: boolean;
}

export class InvalidItem {
  @ApiProperty({ type: 'integer', description: 'Index of the item in the request, from 0', example: 3 })
  index!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The value as sent', example: '010-12' })
  value!: string | null;

  @ApiProperty({
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT', 'VALUE_REQUIRED', 'SOURCE_FORMAT', 'UNSUBSCRIBED_AT_FORMAT'],
    description: 'Reason code',
    example: 'PHONE_FORMAT',
  })
  reason!: string;
}

export class BulkRegisterResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ type: 'integer', description: 'Number of values newly registered', example: 997 })
  accepted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of values that were already registered or repeated',
    example: 2,
  })
  duplicated!: number;

  @ApiProperty({ type: InvalidItem, isArray: true, description: 'Rejected items' })
  invalid!: InvalidItem[];
}

export class RemovedResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'The normalized value', example: NUMBER })
  value!: string;

  @ApiProperty({ description: 'Whether it was registered', example: true })
  deleted!: boolean;

  @ApiProperty({
    type: () => OptOutEntry,
    nullable: true,
    description: 'What was deleted, to register it again as it was; null if it was not registered',
  })
  entry!: OptOutEntry | null;
}

export class BulkRemovedResponse {
  @ApiProperty({ type: 'integer', description: 'Number of values deleted', example: 998 })
  deleted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of values that were not registered or repeated',
    example: 2,
  })
  notFound!: number;
}

export class CheckResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'Whether the value is registered', example: true })
  unsubscribed!: boolean;

  @ApiProperty({
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT'],
    required: false,
    description: 'Why nobody can have opted out with the value; absent for a number or address',
    example: 'PHONE_FORMAT',
  })
  problem?: 'PHONE_FORMAT' | 'EMAIL_FORMAT';
}

export function toRegisteredResponse(
  channel: Channel,
  registered: Unsubscribe,
  duplicated: boolean,
): RegisteredResponse {
  const { id, method, source, unsubscribedAt } = toOptOutEntry(registered);
  return { id, channel, value: registered.value, method, source, unsubscribedAt, duplicated };
}

export function toOptOutEntry({
  id,
  method,
  source,
  unsubscribedAt,
}: Pick<Unsubscribe, keyof OptOutEntry>): OptOutEntry {
  return { id, method, source, unsubscribedAt: toDateTime(unsubscribedAt) };
}
