import { type Channel, CHANNELS } from '../../common/phone/channel-value';

/** How an opt-out came in: by the Service API, a toll-free call, an opt-out link, or a console entry. */
export const METHODS = ['API', '080', 'LINK', 'CSV'] as const;
export type Method = (typeof METHODS)[number];

/** The opt-outs of one channel of an organization. */
export interface ChannelOf {
  readonly organizationId: number;
  readonly channel: Channel;
}

/** An opt-out to be registered; its value is in its one form. */
export interface NewUnsubscribe {
  readonly value: string;
  readonly method: Method;
  readonly source: string | null;
  readonly unsubscribedAt: Date;
}

/** A registered opt-out, as feeds list it. */
export interface ListedUnsubscribe extends NewUnsubscribe {
  readonly id: number;
  /** Its place among the creations and deletions of the channel. */
  readonly position: number;
}

/** A registered opt-out. */
export interface Unsubscribe extends ListedUnsubscribe {
  /** When it was registered. */
  readonly createdAt: Date;
}

/** An opt-out that was taken back. */
export interface Deletion {
  readonly id: number;
  readonly position: number;
  /** Id of the opt-out. */
  readonly sourceId: number;
  readonly value: string;
  readonly deletedAt: Date;
}

const CODES: Record<Channel, number> = { SMS: 1, EMAIL: 2, WHATSAPP: 3 };

/** The number that tables and cursors have for a channel. */
export function channelCode(channel: Channel): number {
  return CODES[channel];
}

/** The channel that has this number. */
export function channelOf(code: number): Channel {
  const channel = CHANNELS.find((each) => CODES[each] === code);
  if (!channel) throw new Error(`There is no channel ${code}`);
  return channel;
}

/**
 * The fields in which a value is shown: `value` always, and the one that is named for what it is
 * (docs/concepts/opt-outs.md#channels-and-values).
 */
export function shownValue(channel: Channel, value: string) {
  const isEmail = channel === 'EMAIL';
  return { phone: isEmail ? null : value, email: isEmail ? value : null, value };
}
