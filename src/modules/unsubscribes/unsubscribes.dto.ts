import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '../../common/phone/channel-value';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf, QueryBool, Text } from '../../common/validation/atoms';
import { TextList, UncheckedList } from '../../common/validation/lists';
import { METHODS, type Unsubscribe } from './unsubscribe';
import { ChannelQuery } from './feeds/unsubscribe-feeds.dto';

export const MAX_ITEMS = 1000;
export const MAX_SOURCE = 200;
/** Longer than any address, and any way to write a phone number down. */
export const MAX_VALUE = 320;

const VALUE = 'Phone number in any common notation, or e-mail address, as the channel asks for';
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

  @source('Where it came from, in words of your own')
  source?: string | null;

  @unsubscribedAt('When they opted out, not in the future; the time of the request by default')
  unsubscribedAt?: string | null;
}

class BulkItem {
  @ApiProperty({ description: VALUE, example: NUMBER })
  value!: string;

  @ApiProperty({
    type: String,
    required: false,
    description: `Where it came from, at most ${MAX_SOURCE} characters; that of the request by default`,
    example: 'customer center',
  })
  source?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    description: 'When they opted out, not in the future; that of the request by default',
    example: '2026-11-20T08:32:00Z',
  })
  unsubscribedAt?: string | null;
}

export class BulkRegisterRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @source('Where items came from that do not say so')
  source?: string | null;

  @unsubscribedAt(
    'When items opted out that do not say so, not in the future; the time of the request by default',
  )
  unsubscribedAt?: string | null;

  @UncheckedList(() => BulkItem, {
    min: 1,
    max: MAX_ITEMS,
    description: 'Values to register; a bad one stops no other',
  })
  items!: unknown[];
}

export class BulkQuery {
  @QueryBool({ default: false, description: 'Whether to answer at once and go on behind', example: false })
  async: boolean = false;
}

export class BulkRemoveRequest {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';

  @TextList({ min: 1, max: MAX_ITEMS, length: MAX_VALUE, description: 'Values to delete', example: [NUMBER] })
  values!: string[];
}

export class RegisteredResponse {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the entry', example: 42 })
  id!: number;

  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'The value in its one form: E.164, or in lower case', example: NUMBER })
  value!: string;

  @ApiProperty({ enum: METHODS, description: 'How it came in', example: 'API' })
  method!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Where it came from',
    example: 'customer center',
  })
  source!: string | null;

  @ApiProperty({ format: 'date-time', description: 'When they opted out', example: '2026-11-20T08:32:00Z' })
  unsubscribedAt!: string;

  @ApiProperty({ description: 'Whether it was registered before; nothing has changed then', example: false })
  duplicated!: boolean;
}

export class InvalidItem {
  @ApiProperty({ type: 'integer', description: 'Place of the item in the request, from 0', example: 3 })
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

export class BulkRegisterResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ type: 'integer', description: 'Values that are newly registered', example: 997 })
  accepted!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Values that were registered before, or came twice',
    example: 2,
  })
  duplicated!: number;

  @ApiProperty({ type: InvalidItem, isArray: true, description: 'Items that were not taken' })
  invalid!: InvalidItem[];
}

export class RemovedResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'The value in its one form', example: NUMBER })
  value!: string;

  @ApiProperty({ description: 'Whether it was registered', example: true })
  deleted!: boolean;
}

export class BulkRemovedResponse {
  @ApiProperty({ type: 'integer', description: 'Values that are deleted', example: 998 })
  deleted!: number;

  @ApiProperty({ type: 'integer', description: 'Values that were not registered, or came twice', example: 2 })
  notFound!: number;
}

export class CheckResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({ description: 'Whether the value is registered', example: true })
  unsubscribed!: boolean;
}

export function toRegisteredResponse(
  channel: Channel,
  { id, value: registered, method, source, unsubscribedAt }: Unsubscribe,
  duplicated: boolean,
): RegisteredResponse {
  const at = toDateTime(unsubscribedAt);
  return { id, channel, value: registered, method, source, unsubscribedAt: at, duplicated };
}
