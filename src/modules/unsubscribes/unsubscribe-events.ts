import { Injectable } from '@nestjs/common';
import type { UnsubscribesChanged } from '../webhooks/events/event-data.dto';
import type { OutboxEvent } from '../webhooks/outbox/outbox-event';
import { FeedCursors } from '../../infrastructure/encryption/feed-cursors';
import {
  toDeletionItem,
  toUnsubscribeItem,
  type UnsubscribeCreated,
  type UnsubscribeDeleted,
} from './feeds/unsubscribe-feeds.dto';
import { type ChannelOf, type Deletion, feedOf, type Unsubscribe } from './unsubscribe';

/**
 * Maximum number of changes reported individually; larger requests and jobs produce one summary event
 * (docs/concepts/opt-outs.md#webhooks).
 */
const MAX_SINGLE_EVENTS = 20;

/** Adds the webhook events of changes to the outbox. */
@Injectable()
export class UnsubscribeEvents {
  constructor(private readonly cursors: FeedCursors) {}

  of(of: ChannelOf, created: readonly Unsubscribe[], deletions: readonly Deletion[]): OutboxEvent[] {
    if (created.length + deletions.length > MAX_SINGLE_EVENTS) return [this.summary(of, created, deletions)];
    return [
      ...created.map((entry) => this.created(of, entry)),
      ...deletions.map((deletion) => this.deleted(of, deletion)),
    ];
  }

  private created(of: ChannelOf, entry: Unsubscribe): OutboxEvent {
    const { organizationId, channel } = of;
    const cursor = this.cursors.of(feedOf(of, 'list'), entry.position);
    const data: UnsubscribeCreated = Object.assign(toUnsubscribeItem(channel, entry), { cursor });
    return { name: 'unsubscribe.created', organizationId, data };
  }

  private deleted(of: ChannelOf, deletion: Deletion): OutboxEvent {
    const { organizationId, channel } = of;
    const cursor = this.cursors.of(feedOf(of, 'deletions'), deletion.position);
    const latestCursor = this.cursors.of(feedOf(of, 'list'), deletion.position);
    const data: UnsubscribeDeleted = Object.assign(toDeletionItem(channel, deletion), {
      cursor,
      latestCursor,
    });
    return { name: 'unsubscribe.deleted', organizationId, data };
  }

  private summary(
    of: ChannelOf,
    created: readonly Unsubscribe[],
    deletions: readonly Deletion[],
  ): OutboxEvent {
    const position = Math.max(...[...created, ...deletions].map((entry) => entry.position));
    const data: UnsubscribesChanged = {
      channel: of.channel,
      accepted: created.length,
      deleted: deletions.length,
      cursor: this.cursors.of(feedOf(of, 'list'), position),
      deletionsCursor: this.cursors.of(feedOf(of, 'deletions'), position),
    };
    return { name: 'unsubscribe.bulk_changed', organizationId: of.organizationId, data };
  }
}
