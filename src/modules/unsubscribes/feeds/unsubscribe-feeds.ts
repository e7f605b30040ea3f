import { Injectable } from '@nestjs/common';
import { Page } from '../../../common/pagination/page';
import { Clock } from '../../../common/time/clock';
import { toDateTime } from '../../../common/time/format';
import type { ChannelOf } from '../unsubscribe';
import { type Feed, UnsubscribeCursors } from './unsubscribe-cursors';
import { UnsubscribesRepository } from '../unsubscribes.repository';
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
    private readonly cursors: UnsubscribeCursors,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidCursor */
  async list(organizationId: number, query: FeedQuery): Promise<UnsubscribeFeedResponse> {
    const of = { organizationId, channel: query.channel };
    const { items, ...rest } = await this.page(of, 'list', query, (position, limit) =>
      this.rows.list(of, position, limit),
    );
    const shown = items.map((item) => {
      const cursor = this.cursors.of(of, 'list', item.position);
      return Object.assign(toUnsubscribeItem(of.channel, item), { cursor });
    });
    return { channel: of.channel, items: shown, ...rest };
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
  async deletions(organizationId: number, query: FeedQuery): Promise<DeletionFeedResponse> {
    const of = { organizationId, channel: query.channel };
    const { items, ...rest } = await this.page(of, 'deletions', query, (position, limit) =>
      this.rows.deletions(of, position, limit),
    );
    const shown = items.map((item) => {
      const cursor = this.cursors.of(of, 'deletions', item.position);
      return Object.assign(toDeletionItem(of.channel, item), { cursor });
    });
    return { channel: of.channel, items: shown, ...rest };
  }

  async watermark(organizationId: number, query: WatermarkQuery): Promise<WatermarkResponse> {
    const of = { organizationId, channel: query.channel };
    const { position, total } = await this.rows.head(of);
    const asOf = toDateTime(this.clock.date());
    const latestCursor = this.cursors.of(of, 'list', position);
    return { channel: of.channel, latestCursor, asOf, ...(query.withTotal && { total, totalAsOf: asOf }) };
  }

  /** The cursor of the last page is the head, which may be beyond the last entry of this feed. */
  private async page<Item extends { position: number }>(
    of: ChannelOf,
    feed: Feed,
    { cursor, limit }: FeedQuery,
    read: (position: number, limit: number) => Promise<{ head: number; items: Item[] }>,
  ): Promise<{ items: Item[]; nextCursor: string; hasMore: boolean }> {
    const position = cursor ? this.cursors.read(cursor, of, feed) : 0;
    const { head, items } = await read(position, limit + 1);
    const hasMore = items.length > limit;
    const page = items.slice(0, limit);
    const last = hasMore ? (page.at(-1)?.position ?? position) : head;
    return { items: page, nextCursor: this.cursors.of(of, feed, last), hasMore };
  }
}
