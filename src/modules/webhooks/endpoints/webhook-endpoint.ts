import type { WebhookEndpointRow } from './webhook-endpoint.entity';

/** A secret that deliveries are signed with. */
export interface WebhookSecret {
  /** `whsec_` and Base64, as it was shown. */
  readonly value: string;
  /** When it was replaced, in milliseconds since the epoch; null for the current one. */
  readonly replacedAt: number | null;
}

/** The encrypted part of an endpoint. */
export interface SealedSettings {
  readonly url: string;
  /** The current one first. */
  readonly secrets: readonly WebhookSecret[];
}

/** What the console sets. */
export interface WebhookEndpointSettings extends SealedSettings {
  readonly events: readonly string[];
  readonly enabled: boolean;
}

/** A webhook endpoint, decrypted. */
export interface WebhookEndpoint
  extends Readonly<Omit<WebhookEndpointRow, 'sealed' | 'events' | 'enabled'>>, WebhookEndpointSettings {}
