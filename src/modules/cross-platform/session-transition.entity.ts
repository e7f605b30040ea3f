import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { SessionPlatform } from '../sessions/funnel';

@Entity('session_transitions')
export class SessionTransition {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  @Column({ name: 'from_platform', type: 'text' })
  fromPlatform!: SessionPlatform;

  @Column({ name: 'to_platform', type: 'text' })
  toPlatform!: SessionPlatform;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;

  /** Day of `occurredAt` in the organization's time zone. */
  @Column({ type: 'date' })
  day!: string;
}
