import type { WebhookSecret } from './endpoints/webhook-endpoint';
import type { Signatures } from './endpoints/webhook-secrets';

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;
/** `PENDING` until the receiver has accepted the delivery or the last attempt has failed. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Attempt {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly latencyMs: number;
  /** Null without a response. */
  readonly statusCode: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  /** First KiB of the response body. */
  readonly answer: string | null;
  /** Parts of the request that cannot be derived from the delivery. */
  readonly request: { readonly url: string | null; readonly signatures: Signatures };
}

/** A delivery that is leased for an attempt. */
export interface ClaimedDelivery {
  /** `delivery_id` */
  readonly id: string;
  readonly lease: string;
  readonly organizationId: number;
  readonly endpointId: number;
  readonly event: string;
  readonly createdAt: Date;
  /** The event's trace context, as the `traceparent` header. */
  readonly traceparent: string | null;
  /** Number of attempts before this one, since the event or its redelivery. */
  readonly attempt: number;
  /** The log before this attempt. */
  readonly attempts: readonly Attempt[];
  /** JSON of the event's data, byte for byte as stored. */
  readonly data: string;
  readonly url: string | null;
  readonly secrets: readonly WebhookSecret[];
  /** Whether a replay may make more deliveries to the endpoint due. */
  readonly replaying: boolean;
}

export interface Outcome {
  readonly attempt: Attempt;
  /** `delivered` for 2xx, `gone` for 410. */
  readonly result: 'delivered' | 'gone' | 'failed';
  readonly retryAfterMs: number | null;
}
