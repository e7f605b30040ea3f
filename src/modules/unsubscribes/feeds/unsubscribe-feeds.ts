import { Injectable } from '@nestjs/common';
import { Page } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import type { Channel } from '../../../common/contact-values/channel-value';
import { FeedCursors, type FeedOf } from '../../../infrastructure/encryption/feed-cursors';
import { feedOf } from '../unsubscribe';
import { type FeedPage, UnsubscribesRepository } from '../unsubscribes.repository';
import {
  type DeletionFeedResponse,
  type FeedQuery,
  type NewestUnsubscribesQuery,
  toDeletionItem,
  toUnsubscribeItem,
  type UnsubscribeFeedResponse,
  type UnsubscribeItem,
  type WatermarkQuery,
  type WatermarkResponse,
} from './unsubscribe-feeds.dto';

/**
 * Feeds for synchronizing clients (docs/concepts/opt-outs.md#following-the-feeds): creations, deletions, and
 * their watermark.
 */
@Injectable()
export class UnsubscribeFeeds {
  constructor(
    private readonly rows: UnsubscribesRepository,
    private readonly cursors: FeedCursors,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidCursor */
  list(organizationId: number, query: FeedQuery): Promise<UnsubscribeFeedResponse> {
    const of = { organizationId, channel: query.channel };
    const read = (position: number, limit: number) => this.rows.list(of, position, limit);
    return this.page(feedOf(of, 'list'), query, read, toUnsubscribeItem);
  }

  /** A page of the list for people, newest first. */
  async newest(organizationId: number, query: NewestUnsubscribesQuery): Promise<Page<UnsubscribeItem>> {
    const of = { organizationId, channel: query.channel };
    const { total } = await this.rows.head(of);
    const entries = await this.rows.newest(of, query.page * query.size, query.size);
    return Page.of(
      entries.map((entry) => toUnsubscribeItem(of.channel, entry)),
      total,
      query,
    );
  }

  /** @throws InvalidCursor */
  deletions(organizationId: number, query: FeedQuery): Promise<DeletionFeedResponse> {
    const of = { organizationId, channel: query.channel };
    const read = (position: number, limit: number) => this.rows.deletions(of, position, limit);
    return this.page(feedOf(of, 'deletions'), query, read, toDeletionItem);
  }

  async watermark(organizationId: number, query: WatermarkQuery): Promise<WatermarkResponse> {
    const of = { organizationId, channel: query.channel };
    const { position, total } = await this.rows.head(of);
    const asOf = toDateTime(this.clock.date());
    const latestCursor = this.cursors.of(feedOf(of, 'list'), position);
    return { channel: of.channel, latestCursor, asOf, ...(query.withTotal && { total, totalAsOf: asOf }) };
  }

  /** The cursor of the last page is the head, which may be beyond the last entry of this feed. */
  private async page<Entry extends { position: number }, Item>(
    feed: FeedOf,
    { channel, cursor, limit }: FeedQuery,
    read: (position: number, limit: number) => Promise<FeedPage<Entry>>,
    toItem: (channel: Channel, entry: Entry) => Item,
  ) {
    const start = cursor ? this.cursors.read(cursor, feed) : 0;
    const { head, items: entries } = await read(start, limit + 1);
    const hasMore = entries.length > limit;
    const page = entries.slice(0, limit);
    const last = hasMore ? (page.at(-1)?.position ?? start) : head;
    const items = page.map((entry) => ({
      ...toItem(channel, entry),
      cursor: this.cursors.of(feed, entry.position),
    }));
    return { channel, items, nextCursor: this.cursors.of(feed, last), hasMore };
  }
}
