import { Injectable } from '@nestjs/common';
import { toDateTime } from '../../common/time/format';
import type { OutboxEvent } from '../webhooks/outbox-event';
import { type ChannelOf, type Deletion, shownValue, type Unsubscribe } from './unsubscribe';
import { UnsubscribeCursors } from './unsubscribe-cursors';

/** A request or job that changes more is told of in one summary (4-decisions §11). */
const MAX_SINGLE_EVENTS = 20;

/** What webhooks hear of changes. `cursor` is that of the list, as the watermark's latestCursor is. */
@Injectable()
export class UnsubscribeEvents {
  constructor(private readonly cursors: UnsubscribeCursors) {}

  of(of: ChannelOf, made: readonly Unsubscribe[], gone: readonly Deletion[]): OutboxEvent[] {
    if (made.length + gone.length > MAX_SINGLE_EVENTS) return [this.summary(of, made, gone)];
    return [
      ...made.map((entry) => this.created(of, entry)),
      ...gone.map((deletion) => this.deleted(of, deletion)),
    ];
  }

  private created(of: ChannelOf, entry: Unsubscribe): OutboxEvent {
    const { organizationId, channel } = of;
    const { id, value, method, source, unsubscribedAt, position } = entry;
    const data = {
      id,
      channel,
      ...shownValue(channel, value),
      method,
      source,
      unsubscribedAt: toDateTime(unsubscribedAt),
      cursor: this.cursors.of(of, 'list', position),
    };
    return { name: 'unsubscribe.created', organizationId, data };
  }

  private deleted(of: ChannelOf, { id, value, sourceId, deletedAt, position }: Deletion): OutboxEvent {
    const { organizationId, channel } = of;
    const data = {
      id,
      channel,
      ...shownValue(channel, value),
      sourceId,
      deletedAt: toDateTime(deletedAt),
      cursor: this.cursors.of(of, 'list', position),
    };
    return { name: 'unsubscribe.deleted', organizationId, data };
  }

  private summary(of: ChannelOf, made: readonly Unsubscribe[], gone: readonly Deletion[]): OutboxEvent {
    const position = Math.max(...made.map((entry) => entry.position), ...gone.map((entry) => entry.position));
    const data = {
      channel: of.channel,
      accepted: made.length,
      deleted: gone.length,
      cursor: this.cursors.of(of, 'list', position),
    };
    return { name: 'unsubscribe.bulk_changed', organizationId: of.organizationId, data };
  }
}
