import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A click of a person who has the app. */
@Entity('reengagements')
export class ReengagementRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint', nullable: true })
  kind!: number | null;

  @Column({ name: 'tracked_link_id', type: 'bigint', nullable: true })
  trackedLinkId!: number | null;

  /** Hash of what identifies the person. */
  @Column({ name: 'user_key', type: 'bytea' })
  userKey!: Buffer;

  @Column({ type: 'text' })
  platform!: 'iOS' | 'Android' | 'Other';

  /** Whether the app was opened. */
  @Column({ type: 'boolean' })
  successful!: boolean;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;
}

/** The last days on which an app, link or campaign re-engaged a person. */
@Entity('reengaged_users')
export class ReengagedUser {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of SUBJECT_KIND. */
  @PrimaryColumn({ name: 'subject_kind', type: 'smallint' })
  subjectKind!: number;

  @PrimaryColumn({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  /** Hash of what identifies the person. */
  @PrimaryColumn({ name: 'user_key', type: 'bytea' })
  userKey!: Buffer;

  /** In UTC. */
  @Column({ name: 'last_day', type: 'date' })
  lastDay!: string;

  /** The one before `lastDay`. */
  @Column({ name: 'previous_day', type: 'date', nullable: true })
  previousDay!: string | null;
}
