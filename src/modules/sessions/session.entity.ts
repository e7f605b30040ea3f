import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SessionPlatform } from './funnel';
import type { DeviceInfo } from './session';

/** A session. */
@Entity('funnel_sessions')
export class SessionRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'app_id', type: 'bigint', nullable: true })
  appId!: number | null;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  /** The current platform. */
  @Column({ type: 'text' })
  platform!: SessionPlatform;

  @Column({ name: 'first_platform', type: 'text' })
  firstPlatform!: SessionPlatform;

  @Column({ name: 'external_user_id', type: 'text', nullable: true })
  externalUserId!: string | null;

  /** Default type of goals. */
  @Column({ name: 'goal_type', type: 'text', nullable: true })
  goalType!: string | null;

  @Column({ name: 'device_info', type: 'jsonb', nullable: true })
  deviceInfo!: DeviceInfo | null;

  @Column({ name: 'utm_source', type: 'text', nullable: true })
  utmSource!: string | null;

  @Column({ name: 'utm_medium', type: 'text', nullable: true })
  utmMedium!: string | null;

  @Column({ name: 'utm_term', type: 'text', nullable: true })
  utmTerm!: string | null;

  @Column({ name: 'utm_content', type: 'text', nullable: true })
  utmContent!: string | null;

  @Column({ type: 'text', nullable: true })
  referrer!: string | null;

  @Column({ name: 'landing_url', type: 'text', nullable: true })
  landingUrl!: string | null;

  /** ISO 3166-1 alpha-2. */
  @Column({ type: 'text', nullable: true })
  country!: string | null;

  /** The customId of a campaign click. */
  @Column({ name: 'custom_id', type: 'text', nullable: true })
  customId!: string | null;

  /** The click that began it. */
  @Column({ name: 'click_id', type: 'bigint', nullable: true })
  clickId!: number | null;

  @Column({ name: 'client_timestamp', type: 'timestamptz', nullable: true })
  clientTimestamp!: Date | null;

  @Column({ name: 'client_timezone', type: 'text', nullable: true })
  clientTimezone!: string | null;

  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  /** Day of `startedAt` in the organization's time zone. */
  @Column({ type: 'date' })
  day!: string;

  @Column({ name: 'last_activity_at', type: 'timestamptz' })
  lastActivityAt!: Date;

  /** Bit n is set if the session has reached stage n + 1. */
  @Column({ type: 'smallint' })
  stages!: number;

  /** Element n is the time of stage n. */
  @Column({ name: 'stage_times', type: 'timestamptz', array: true })
  stageTimes!: (Date | null)[];

  @Column({ type: 'boolean' })
  purchased!: boolean;

  /** Number of recorded events. */
  @Column({ type: 'integer' })
  events!: number;
}
