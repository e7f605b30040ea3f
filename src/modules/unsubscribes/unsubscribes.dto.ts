import { IntersectionType } from '@nestjs/swagger';
import { DATE_TIME, INT64, INTEGER, TEXT_OR_NULL, Field } from '../../common/http/api-field';
import { type Channel, CHANNELS } from '../../common/contact-values/channel-value';
import { toDateTime } from '../../common/time/format';
import { DateTimeText, OneOf, QueryBool, Text } from '../../common/validation/atoms';
import { TextList, UncheckedList } from '../../common/validation/lists';
import { METHODS, type Unsubscribe } from './unsubscribe';

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

export class ChannelQuery {
  @OneOf(CHANNELS, { default: 'SMS', description: 'Channel', example: 'SMS' })
  channel: Channel = 'SMS';
}

export class ChannelResponse {
  @Field('Channel', 'SMS', { enum: CHANNELS })
  channel!: Channel;
}

export class ValueQuery extends ChannelQuery {
  @value()
  value!: string;
}

export class RegisterRequest extends ChannelQuery {
  @value()
  value!: string;

  @source('Your description of the source')
  source?: string | null;

  @unsubscribedAt('When the person opted out, not in the future; default is the time of the request')
  unsubscribedAt?: string | null;
}

class BulkItem {
  @Field(VALUE, NUMBER)
  value!: string;

  @Field(
    `Your description of the source, at most ${MAX_SOURCE} characters; default is that of the request`,
    'customer center',
    { type: String, required: false },
  )
  source?: string | null;

  @Field(
    'When the person opted out, not in the future; default is that of the request',
    '2026-11-20T08:32:00Z',
    { type: String, required: false },
  )
  unsubscribedAt?: string | null;
}

export class BulkRegisterRequest extends ChannelQuery {
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

export class BulkRemoveRequest extends ChannelQuery {
  @TextList({ min: 1, max: MAX_ITEMS, length: MAX_VALUE, description: 'Values to delete', example: [NUMBER] })
  values!: string[];
}

export class OptOutEntry {
  @Field('Id of the entry', 42, INT64)
  id!: number;

  @Field('Source of the opt-out', 'API', { enum: METHODS })
  method!: string;

  @Field('Your description of the source', 'customer center', TEXT_OR_NULL)
  source!: string | null;

  @Field('When the person opted out', '2026-11-20T08:32:00Z', DATE_TIME)
  unsubscribedAt!: string;
}

export class RegisteredResponse extends IntersectionType(OptOutEntry, ChannelResponse) {
  @Field('The normalized value: E.164 or lower case', NUMBER)
  value!: string;

  @Field('Whether it was already registered; nothing has changed then', false)
  duplicated!: boolean;
}

export class InvalidItem {
  @Field('Index of the item in the request, from 0', 3, INTEGER)
  index!: number;

  @Field('The value as sent', '010-12', TEXT_OR_NULL)
  value!: string | null;

  @Field('Reason code', 'PHONE_FORMAT', {
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT', 'VALUE_REQUIRED', 'SOURCE_FORMAT', 'UNSUBSCRIBED_AT_FORMAT'],
  })
  reason!: string;
}

export class BulkRegisterResponse extends ChannelResponse {
  @Field('Number of values newly registered', 997, INTEGER)
  accepted!: number;

  @Field('Number of values that were already registered or repeated', 2, INTEGER)
  duplicated!: number;

  @Field('Rejected items', undefined, { type: InvalidItem, isArray: true })
  invalid!: InvalidItem[];
}

export class RemovedResponse extends ChannelResponse {
  @Field('The normalized value', NUMBER)
  value!: string;

  @Field('Whether it was registered', true)
  deleted!: boolean;

  @Field('What was deleted, to register it again as it was; null if it was not registered', undefined, {
    type: () => OptOutEntry,
    nullable: true,
  })
  entry!: OptOutEntry | null;
}

export class BulkRemovedResponse {
  @Field('Number of values deleted', 998, INTEGER)
  deleted!: number;

  @Field('Number of values that were not registered or repeated', 2, INTEGER)
  notFound!: number;
}

export class CheckResponse extends ChannelResponse {
  @Field('Whether the value is registered', true)
  unsubscribed!: boolean;

  @Field('Why nobody can have opted out with the value; absent for a number or address', 'PHONE_FORMAT', {
    enum: ['PHONE_FORMAT', 'EMAIL_FORMAT'],
    required: false,
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
