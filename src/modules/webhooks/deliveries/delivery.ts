import type { WebhookSecret } from '../endpoints/webhook-endpoint';

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
/** `PENDING` until a receiver has taken it, or the last attempt has failed. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What became of one attempt, as the log keeps it. */
export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly latencyMs: number;
  /** Null: there was no answer. */
  readonly statusCode: number | null;
  /** Why there was no answer. */
  readonly error: string | null;
  /** The first KiB of the answer's body. */
  readonly answer: string | null;
}

/** A delivery that this process has taken to attempt it now. */
export interface ClaimedDelivery {
  /** `delivery_id` */
  readonly id: string;
  readonly lease: string;
  readonly organizationId: number;
  readonly endpointId: number;
  readonly event: string;
  readonly createdAt: Date;
  /** Attempts of this round, before the one to come. */
  readonly attempt: number;
  /** The log so far. */
  readonly attempts: readonly Attempt[];
  /** JSON of the event's data, byte for byte as it was kept. */
  readonly data: string;
  readonly url: string;
  readonly secrets: readonly WebhookSecret[];
  /** More may become due to its endpoint when this is done. */
  readonly replaying: boolean;
}

/** What an attempt has come to. */
export interface Outcome {
  readonly attempt: Attempt;
  /** `delivered`: 2xx; `gone`: 410. */
  readonly result: 'delivered' | 'gone' | 'failed';
  /** What the receiver asked for. */
  readonly retryAfterMs: number | null;
}
