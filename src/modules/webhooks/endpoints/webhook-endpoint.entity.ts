import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { EndpointFilters } from '../outbox/endpoint-filters';

export const DELIVERY_KINDS = ['PUSH', 'PULL'] as const;
/** Whether deliveries are posted to the endpoint's URL, or fetched by a listener. */
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

export const DISABLED_REASONS = ['MANUAL', 'GONE', 'FAILURES', 'NOT_PULLED'] as const;
/** Disabled by a call, by the receiver's 410, after five days of failures only, or after a day without a listener. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A row of a webhook endpoint; `WebhookEndpoint` is the decrypted form. */
@Entity('webhook_endpoints')
export class WebhookEndpointRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  delivery!: DeliveryKind;

  /** JSON of URL and secrets, encrypted because URLs of receivers often contain a secret. */
  @Column({ type: 'text' })
  sealed!: string;

  /** Events, groups of events such as `link.*`, or `*`. */
  @Column({ type: 'text', array: true })
  events!: string[];

  /** Null: none. */
  @Column({ type: 'jsonb', nullable: true })
  filters!: EndpointFilters | null;

  @Column({ type: 'boolean' })
  enabled!: boolean;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: DisabledReason | null;

  @Column({ name: 'disabled_at', type: 'timestamptz', nullable: true })
  disabledAt!: Date | null;

  /** Time of the first failure since the last delivery. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** An HTTP status, or why there was no response. */
  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  @Column({ name: 'last_error_at', type: 'timestamptz', nullable: true })
  lastErrorAt!: Date | null;

  /** Truncated to the minute. */
  @Column({ name: 'last_delivered_at', type: 'timestamptz', nullable: true })
  lastDeliveredAt!: Date | null;

  /** To the minute. */
  @Column({ name: 'last_pulled_at', type: 'timestamptz', nullable: true })
  lastPulledAt!: Date | null;

  /** Start of the replay in progress. */
  @Column({ name: 'replay_since', type: 'timestamptz', nullable: true })
  replaySince!: Date | null;

  /** Last event that the replay has passed. */
  @Column({ name: 'replay_after', type: 'uuid', nullable: true })
  replayAfter!: string | null;

  /** First event that the replay does not include. */
  @Column({ name: 'replay_until', type: 'uuid', nullable: true })
  replayUntil!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
