import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventName } from './outbox-event';

/** A stored event. */
@Entity('outbox_events')
export class OutboxEventRow {
  /** A UUID of version 7, so that old events are found by id. */
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'text' })
  name!: EventName;

  /** JSON of the resource, encrypted. */
  @Column({ type: 'text' })
  data!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** The person whom the event is about, such as `contact:42`. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  /** The trace in which it happened, as the header of W3C Trace Context. */
  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;
}
