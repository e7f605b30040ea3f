import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { SessionPlatform } from '../funnel';

/** A goal that a session has reached. */
@Entity('goals')
export class GoalRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  /** `purchase` for `purchase_<CURRENCY>` too. */
  @Column({ name: 'goal_type', type: 'text' })
  goalType!: string;

  /** A decimal string, as Postgres returns it. */
  @Column({ type: 'numeric', precision: 20, scale: 4 })
  value!: string;

  /** ISO 4217 code. */
  @Column({ type: 'text' })
  currency!: string;

  /** A transaction counts once per goal type in the app. */
  @Column({ name: 'transaction_id', type: 'text', nullable: true })
  transactionId!: string | null;

  @Column({ type: 'text' })
  platform!: SessionPlatform;

  @Column({ name: 'device_type', type: 'text', nullable: true })
  deviceType!: string | null;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  /** The customId of a campaign click. */
  @Column({ name: 'custom_id', type: 'text', nullable: true })
  customId!: string | null;

  @Column({ name: 'external_user_id', type: 'text', nullable: true })
  externalUserId!: string | null;

  @Column({ name: 'client_timestamp', type: 'timestamptz', nullable: true })
  clientTimestamp!: Date | null;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;

  /** Day of `occurredAt` in the organization's time zone. */
  @Column({ type: 'date' })
  day!: string;
}
