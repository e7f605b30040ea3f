/** A secret that an endpoint's deliveries are signed with. */
export interface WebhookSecret {
  /** `whsec_` and Base64, as it was shown. */
  readonly value: string;
  /** When the next one took its place, in milliseconds since the epoch; null for the one in use. */
  readonly replacedAt: number | null;
}

export const DISABLED_REASONS = ['CONSOLE', 'GONE', 'FAILURES'] as const;
/** Who disabled an endpoint: the console, its own answer 410, or five days of failures only. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** What the console decides. */
export interface WebhookEndpointSettings {
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  /** The one in use first. */
  readonly secrets: readonly WebhookSecret[];
}

/** Somewhere that an organization wants to hear of its events. */
export interface WebhookEndpoint extends WebhookEndpointSettings {
  readonly id: number;
  readonly organizationId: number;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  /** The first of the failures since which nothing was delivered. */
  readonly failingSince: Date | null;
  /** An HTTP status, or why there was no answer. */
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
  /** To the minute. */
  readonly lastDeliveredAt: Date | null;
  /** Events from here on are being delivered again. */
  readonly replaySince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
