import { IntersectionType } from '@nestjs/swagger';
import { DATE_TIME, INT64, TEXT_OR_NULL, Field } from '../../../common/http/api-field';
import { pageOf, PageQuery } from '../../../common/pagination/page';
import { type Channel, CHANNELS } from '../../../common/contact-values/channel-value';
import { toDateTime } from '../../../common/time/format';
import { OneOf, QueryBool, QueryInt, Text } from '../../../common/validation/atoms';
import { OnlyKnownNames } from '../../../common/validation/known-names';
import { type Deletion, type ListedUnsubscribe, valueFields } from '../unsubscribe';
import { ChannelQuery, ChannelResponse, OptOutEntry, toOptOutEntry } from '../unsubscribes.dto';

const CURSOR = 'AQEBAAAAAAAAASoW0nq4vN8h3bUuzPbl9s8a';

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

class FeedItem extends ChannelResponse {
  @Field('Phone number in E.164; null for EMAIL', '+821012345678', TEXT_OR_NULL)
  phone!: string | null;

  @Field('E-mail address in lower case; null for SMS and WHATSAPP', null, TEXT_OR_NULL)
  email!: string | null;

  @Field('The phone number or e-mail address', '+821012345678')
  value!: string;
}

export class UnsubscribeItem extends IntersectionType(FeedItem, OptOutEntry) {
  @Field('Source of the opt-out: Service API, toll-free call, opt-out link, console entry')
  declare method: string;
}

const ITEM_CURSOR = 'Cursor that continues behind this item';

export class UnsubscribeFeedItem extends UnsubscribeItem {
  @Field(ITEM_CURSOR, CURSOR)
  cursor!: string;
}

export const UnsubscribePage = pageOf(UnsubscribeItem, 'UnsubscribePage');

export class DeletionItem extends FeedItem {
  @Field('Id of the deletion', 57, INT64)
  id!: number;

  @Field('Id of the deleted entry', 42, INT64)
  sourceId!: number;

  @Field('When it was deleted', '2026-11-21T10:00:00Z', DATE_TIME)
  deletedAt!: string;
}

export class DeletionFeedItem extends DeletionItem {
  @Field(ITEM_CURSOR, CURSOR)
  cursor!: string;
}

const LATEST = "Cursor of the list after this change, like the watermark's latestCursor";

/** Webhook data of a registered opt-out. */
export class UnsubscribeCreated extends UnsubscribeItem {
  @Field(LATEST, CURSOR)
  cursor!: string;
}

/** Webhook data of a removed opt-out. */
export class UnsubscribeDeleted extends DeletionItem {
  @Field('Cursor of the deletions after this change', CURSOR)
  cursor!: string;

  @Field(LATEST, CURSOR)
  latestCursor!: string;
}

class FeedResponse extends ChannelResponse {
  @Field('Cursor for the next request, to pass unchanged. Never null, not even on the last page', CURSOR)
  nextCursor!: string;

  @Field('Whether more entries follow now', false)
  hasMore!: boolean;
}

export class UnsubscribeFeedResponse extends FeedResponse {
  @Field('Entries, oldest first', undefined, { type: UnsubscribeFeedItem, isArray: true })
  items!: UnsubscribeFeedItem[];
}

export class DeletionFeedResponse extends FeedResponse {
  @Field('Deletions, oldest first', undefined, { type: DeletionFeedItem, isArray: true })
  items!: DeletionFeedItem[];
}

export class WatermarkResponse extends ChannelResponse {
  @Field('The current last nextCursor of the list; if it differs from yours, something has changed', CURSOR)
  latestCursor!: string;

  @Field('Time at which it was read', '2026-11-20T08:32:00Z', DATE_TIME)
  asOf!: string;

  @Field('Number of registered entries of the channel; with `withTotal`', 1250, { ...INT64, required: false })
  total?: number;

  @Field('Time at which `total` was read; with `withTotal`', '2026-11-20T08:32:00Z', {
    format: 'date-time',
    required: false,
  })
  totalAsOf?: string;
}

export function toUnsubscribeItem(channel: Channel, entry: ListedUnsubscribe): UnsubscribeItem {
  const { id, ...rest } = toOptOutEntry(entry);
  return { id, channel, ...valueFields(channel, entry.value), ...rest };
}

export function toDeletionItem(channel: Channel, deletion: Deletion): DeletionItem {
  const { id, value, sourceId, deletedAt } = deletion;
  return { id, channel, ...valueFields(channel, value), sourceId, deletedAt: toDateTime(deletedAt) };
}
