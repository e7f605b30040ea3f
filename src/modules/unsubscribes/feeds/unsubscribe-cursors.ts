import { Injectable } from '@nestjs/common';
import { FeedCursors, type FeedOf } from '../../../infrastructure/encryption/feed-cursors';
import { type ChannelOf, channelCode } from '../unsubscribe';

/** The two feeds: registered opt-outs, and deletions. */
export type Feed = 'list' | 'deletions';

const FEED_CODES: Record<Feed, number> = { list: 1, deletions: 2 };

@Injectable()
export class UnsubscribeCursors {
  constructor(private readonly cursors: FeedCursors) {}

  /** The cursor that continues after `position`; position 0 is the start. */
  of(channel: ChannelOf, feed: Feed, position: number): string {
    return this.cursors.of(feedOf(channel, feed), position);
  }

  /** @throws InvalidCursor if it was altered, or belongs to another feed, channel or organization */
  read(cursor: string, channel: ChannelOf, feed: Feed): number {
    return this.cursors.read(cursor, feedOf(channel, feed));
  }
}

function feedOf({ organizationId, channel }: ChannelOf, feed: Feed): FeedOf {
  return { organizationId, kind: 'unsubscribes', part: [channelCode(channel), FEED_CODES[feed]] };
}
