import { type Channel, CHANNELS } from '../../common/contact-values/channel-value';
import type { FeedOf } from '../../infrastructure/encryption/feed-cursors';

/** Source of an opt-out: the Service API, a toll-free call, an opt-out link, or an entry in the console. */
export const METHODS = ['API', '080', 'LINK', 'CSV'] as const;
export type Method = (typeof METHODS)[number];

export interface ChannelOf {
  readonly organizationId: number;
  readonly channel: Channel;
}

/** An opt-out to register, with a normalized value. */
export interface NewUnsubscribe {
  readonly value: string;
  readonly method: Method;
  readonly source: string | null;
  readonly unsubscribedAt: Date;
}

/** A registered opt-out, as listed in feeds. */
export interface ListedUnsubscribe extends NewUnsubscribe {
  readonly id: number;
  /** Position in the channel's sequence of creations and deletions. */
  readonly position: number;
}

/** A registered opt-out. */
export interface Unsubscribe extends ListedUnsubscribe {
  /** When it was registered, as opposed to when the person opted out. */
  readonly createdAt: Date;
}

export interface Deletion {
  readonly id: number;
  readonly position: number;
  /** Id of the deleted opt-out. */
  readonly sourceId: number;
  readonly value: string;
  readonly deletedAt: Date;
}

/** A deleted opt-out, with everything needed to register it again. */
export type Removed = Deletion & Pick<NewUnsubscribe, 'method' | 'source' | 'unsubscribedAt'>;

const CODES: Record<Channel, number> = { SMS: 1, EMAIL: 2, WHATSAPP: 3 };

/** The number of a channel in tables and cursors. */
export function channelCode(channel: Channel): number {
  return CODES[channel];
}

/** The two feeds: registered opt-outs, and deletions. */
export type Feed = 'list' | 'deletions';

const FEED_CODES: Record<Feed, number> = { list: 1, deletions: 2 };

/** What the cursors of a feed are bound to. */
export function feedOf({ organizationId, channel }: ChannelOf, feed: Feed): FeedOf {
  return { organizationId, kind: 'unsubscribes', part: [channelCode(channel), FEED_CODES[feed]] };
}

export function channelOf(code: number): Channel {
  const channel = CHANNELS.find((each) => CODES[each] === code);
  if (!channel) throw new Error(`Unknown channel ${code}`);
  return channel;
}

/** Response fields with a value: `value`, and the field of its type (docs/concepts/opt-outs.md#channels-and-values). */
export function valueFields(channel: Channel, value: string) {
  const isEmail = channel === 'EMAIL';
  return { phone: isEmail ? null : value, email: isEmail ? value : null, value };
}
