import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventName } from '../outbox/outbox-event';
import type { DeliveryStatus } from '../delivery';

/** A delivery of an event to an endpoint. Leases use the clock of Postgres, which all workers share. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  /** `delivery_id`, a version 7 UUID with the time of the event. */
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'endpoint_id', type: 'bigint' })
  endpointId!: number;

  @Column({ name: 'event_id', type: 'uuid' })
  eventId!: string;

  @Column({ type: 'text' })
  event!: EventName;

  @Column({ type: 'text' })
  status!: DeliveryStatus;

  /** Number of attempts since the event, or since its redelivery. */
  @Column({ type: 'smallint' })
  attempt!: number;

  /** Time of the next attempt; null if there is none. */
  @Column({ name: 'next_at', type: 'timestamptz', nullable: true })
  nextAt!: Date | null;

  /** Identifies the claim that holds the delivery. */
  @Column({ type: 'uuid', nullable: true })
  lease!: string | null;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil!: Date | null;

  @Column({ name: 'last_attempt_at', type: 'timestamptz', nullable: true })
  lastAttemptAt!: Date | null;

  /** JSON of the last attempts, encrypted because receivers may echo the payload. */
  @Column({ type: 'text', nullable: true })
  attempts!: string | null;
}
