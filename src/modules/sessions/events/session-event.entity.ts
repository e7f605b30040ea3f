import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** An event of a session. */
@Entity('session_events')
export class SessionEvent {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  @Column({ name: 'event_data', type: 'jsonb', nullable: true })
  eventData!: Record<string, unknown> | null;

  /** Repeated events of a session with the same time and type are stored once. */
  @Column({ name: 'client_timestamp', type: 'timestamptz', nullable: true })
  clientTimestamp!: Date | null;

  @Column({ name: 'client_timezone', type: 'text', nullable: true })
  clientTimezone!: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;

  /** Day on which the session began, in the organization's time zone. */
  @Column({ type: 'date' })
  day!: string;
}
