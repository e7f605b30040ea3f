/** Events that webhooks report (docs/webhooks.md#events). */
export const EVENT_NAMES = [
  'link.clicked',
  'link.created',
  'link.updated',
  'link.deleted',
  'link.unhealthy',
  'campaign.clicked',
  'campaign.created',
  'campaign.updated',
  'campaign.deleted',
  'campaign.unhealthy',
  'goal.completed',
  'funnel.stage_reached',
  'session.created',
  'session.user_linked',
  'session.transitioned',
  'unsubscribe.created',
  'unsubscribe.deleted',
  'unsubscribe.bulk_changed',
  'contact.created',
  'contact.updated',
  'contact.opt_out',
  'contact.deleted',
  'usage.click_limit_exceeded',
  'webhook.test',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export interface OutboxEvent {
  readonly name: EventName;
  readonly organizationId: number;
  /** The resource in the form of the API. */
  readonly data: object;
  /** The person that the event is about, such as `contact:42`, with whose data it is deleted. */
  readonly subject?: string;
}

/** A stored event, decrypted. */
export interface StoredEvent extends OutboxEvent {
  readonly data: Readonly<Record<string, unknown>>;
  /** A UUID of version 7. */
  readonly id: string;
  readonly createdAt: Date;
}
