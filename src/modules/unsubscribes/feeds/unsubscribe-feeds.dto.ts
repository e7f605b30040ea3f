import { ApiProperty } from '@nestjs/swagger';
import { pageOf, PageQuery } from '../../../common/pagination/page';
import { type Channel, CHANNELS } from '../../../common/phone/channel-value';
import { toDateTime } from '../../../common/time/format';
import { OneOf, QueryBool, QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { type Deletion, type ListedUnsubscribe, METHODS, valueFields } from '../unsubscribe';

const CURSOR = 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';

export class ChannelQuery {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';
}

@OnlyKnownNames()
export class FeedQuery extends ChannelQuery {
  @Text({
    max: 200,
    optional: true,
    description:
      'nextCursor of the previous response, unchanged, or INVALID_CURSOR; absent or empty starts from ' +
      'the beginning',
    example: '',
  })
  cursor?: string | null;

  @QueryInt({ min: 1, max: 1000, default: 500, description: 'Maximum number of items', example: 500 })
  limit: number = 500;
}

export class NewestUnsubscribesQuery extends PageQuery {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';
}

export class WatermarkQuery extends ChannelQuery {
  @QueryBool({ default: false, description: 'Whether to return the total as well', example: true })
  withTotal: boolean = false;
}

/** Fields of the entries of both feeds. */
class FeedItem {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Phone number in E.164; null for EMAIL',
    example: '+821012345678',
  })
  phone!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'E-mail address in lower case; null for SMS and WHATSAPP',
    example: null,
  })
  email!: string | null;

  @ApiProperty({
    description: 'The phone number or e-mail address',
    example: '+821012345678',
  })
  value!: string;
}

/** A registered opt-out. */
export class UnsubscribeItem extends FeedItem {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the entry', example: 42 })
  id!: number;

  @ApiProperty({
    enum: METHODS,
    description: 'Source of the opt-out: Service API, toll-free call, opt-out link, console entry',
    example: 'API',
  })
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

export const UnsubscribePage = pageOf(UnsubscribeItem, 'UnsubscribePage');

/** A deleted opt-out. */
export class DeletionItem extends FeedItem {
  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the deletion', example: 57 })
  id!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Id of the deleted entry', example: 42 })
  sourceId!: number;

  @ApiProperty({ format: 'date-time', description: 'When it was deleted', example: '2026-11-21T10:00:00Z' })
  deletedAt!: string;
}

class FeedResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({
    description: 'Cursor for the next request, to pass unchanged. Never null, not even on the last page',
    example: CURSOR,
  })
  nextCursor!: string;

  @ApiProperty({ description: 'Whether more entries follow now', example: false })
  hasMore!: boolean;
}

export class UnsubscribeFeedResponse extends FeedResponse {
  @ApiProperty({ type: UnsubscribeItem, isArray: true, description: 'Entries, oldest first' })
  items!: UnsubscribeItem[];
}

export class DeletionFeedResponse extends FeedResponse {
  @ApiProperty({ type: DeletionItem, isArray: true, description: 'Deletions, oldest first' })
  items!: DeletionItem[];
}

export class WatermarkResponse {
  @ApiProperty({ enum: CHANNELS, description: 'Channel', example: 'SMS' })
  channel!: Channel;

  @ApiProperty({
    description: 'The current last nextCursor of the list; if it differs from yours, something has changed',
    example: CURSOR,
  })
  latestCursor!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Time at which it was read',
    example: '2026-11-20T08:32:00Z',
  })
  asOf!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    required: false,
    description: 'Number of registered entries of the channel; with `withTotal`',
    example: 1250,
  })
  total?: number;

  @ApiProperty({
    format: 'date-time',
    required: false,
    description: 'Time at which `total` was read; with `withTotal`',
    example: '2026-11-20T08:32:00Z',
  })
  totalAsOf?: string;
}

export function toUnsubscribeItem(channel: Channel, entry: ListedUnsubscribe): UnsubscribeItem {
  const { id, value, method, source, unsubscribedAt } = entry;
  const at = toDateTime(unsubscribedAt);
  return { id, channel, ...valueFields(channel, value), method, source, unsubscribedAt: at };
}

export function toDeletionItem(channel: Channel, deletion: Deletion): DeletionItem {
  const { id, value, sourceId, deletedAt } = deletion;
  return { id, channel, ...valueFields(channel, value), sourceId, deletedAt: toDateTime(deletedAt) };
}
