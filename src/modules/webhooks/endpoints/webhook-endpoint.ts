import type { EndpointFilters } from '../outbox/endpoint-filters';
import type { WebhookEndpointRow } from './webhook-endpoint.entity';

/** A secret that deliveries are signed with. */
export interface WebhookSecret {
  /** `whsec_` and Base64, as shown to the user. */
  readonly value: string;
  /** Time of its replacement, in milliseconds since the epoch; null for the current one. */
  readonly replacedAt: number | null;
}

/** The encrypted part of an endpoint. */
export interface SealedSettings {
  /** Null for an endpoint that is pulled. */
  readonly url: string | null;
  /** The current one first. */
  readonly secrets: readonly WebhookSecret[];
}

/** What a caller can change. */
export interface WebhookEndpointSettings extends SealedSettings {
  readonly events: readonly string[];
  /** Null: none. */
  readonly filters: EndpointFilters | null;
  readonly enabled: boolean;
}

export interface WebhookEndpoint
  extends Readonly<Omit<WebhookEndpointRow, 'sealed' | 'events' | 'enabled'>>, WebhookEndpointSettings {}
