/** What webhooks tell of (docs/webhooks.md#events). */
export const EVENT_NAMES = [
  'link.clicked',
  'campaign.clicked',
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
  'webhook.test',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Something that happened in an organization. */
export interface OutboxEvent {
  readonly name: EventName;
  readonly organizationId: number;
  /** The resource as the API shows it. */
  readonly data: object;
  /** Whom it is about, when it must go when he asks to be forgotten: `contact:42`. */
  readonly subject?: string;
}

/** An event as it is kept. */
export interface KeptEvent extends OutboxEvent {
  readonly data: Readonly<Record<string, unknown>>;
  /** A UUID; the same in whatever deliveries the event leads to. */
  readonly id: string;
  readonly createdAt: Date;
}
