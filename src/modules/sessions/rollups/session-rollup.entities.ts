import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of the sessions of an app, link or campaign that began on one day. */
@Entity('session_rollups')
export class SessionDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of SUBJECT_KIND. */
  @PrimaryColumn({ name: 'subject_kind', type: 'smallint' })
  subjectKind!: number;

  /** ALL_OF_KIND for all links, all campaigns, or (kind app) sessions with neither. */
  @PrimaryColumn({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** 0 for sessions without an app. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** A value of PLATFORM_NUMBER: the first platform of the session. */
  @PrimaryColumn({ type: 'smallint' })
  platform!: number;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  sessions!: number;

  /** Sessions that have completed a goal. */
  @Column({ type: 'integer' })
  converted!: number;

  /** Sessions with a purchase. */
  @Column({ type: 'integer' })
  purchased!: number;

  @Column({ type: 'bigint' })
  events!: number;

  /** Time from start to last activity, summed over the sessions. */
  @Column({ name: 'duration_seconds', type: 'bigint' })
  durationSeconds!: number;

  /** Sessions that have reached each stage, in the order of STAGES. */
  @Column({ type: 'integer', array: true })
  stages!: number[];
}

/** One slot of the sessions of an app that came from one source on one day. */
@Entity('session_source_rollups')
export class SessionSourceDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Empty if the session has none. */
  @PrimaryColumn({ name: 'utm_source', type: 'text' })
  utmSource!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  sessions!: number;

  /** Sessions that have completed a goal. */
  @Column({ type: 'integer' })
  converted!: number;
}

/** A day on which a user began a session. */
@Entity('session_users')
export class SessionUserDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** Hash of the external user id. */
  @PrimaryColumn({ name: 'user_key', type: 'bytea' })
  userKey!: Buffer;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;
}

/** One slot of the transitions of sessions of an app from one platform to another on one day. */
@Entity('transition_rollups')
export class TransitionDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** A value of PLATFORM_NUMBER, as is `toPlatform`. */
  @PrimaryColumn({ name: 'from_platform', type: 'smallint' })
  fromPlatform!: number;

  @PrimaryColumn({ name: 'to_platform', type: 'smallint' })
  toPlatform!: number;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  transitions!: number;
}

/** One slot of the events of one type in sessions of an app that began on one day. */
@Entity('event_rollups')
export class EventTypeDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ name: 'event_type', type: 'text' })
  eventType!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  events!: number;
}
