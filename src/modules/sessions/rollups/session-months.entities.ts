import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whether the sums of an organization's month (goal_months, session_user_days) are up to date. */
@Entity('session_months')
export class SessionMonth {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('date')
  month!: string;

  @Column('boolean', { name: 'is_compacted' })
  isCompacted!: boolean;
}

/** Monthly goals of one type and currency in an app that a link or campaign led to. */
@Entity('goal_months')
export class GoalMonth {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('smallint', { name: 'subject_kind' })
  subjectKind!: number;

  @PrimaryColumn('date')
  month!: string;

  /** 0 if no app is known. */
  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  @PrimaryColumn('bigint', { name: 'subject_id' })
  subjectId!: number;

  @PrimaryColumn('text', { name: 'goal_type' })
  goalType!: string;

  /** ISO 4217 code. */
  @PrimaryColumn('text')
  currency!: string;

  @Column('bigint')
  goals!: number;
}

/** Unique users of an app on a day of a compacted month. */
@Entity('session_user_days')
export class DailyUsers {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  @PrimaryColumn('date')
  day!: string;

  @Column('bigint')
  users!: number;
}

/** One slot of the goals of one type that an app, link or campaign reached on one day. */
@Entity('goal_rollups')
export class GoalDay {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('smallint', { name: 'subject_kind' })
  subjectKind!: number;

  /** ALL_OF_KIND for all links, all campaigns, or (kind app) sessions with neither. */
  @PrimaryColumn('bigint', { name: 'subject_id' })
  subjectId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn('date')
  day!: string;

  /** 0 if no app is known. */
  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  /** A value of PLATFORM_NUMBER. */
  @PrimaryColumn('smallint')
  platform!: number;

  @PrimaryColumn('text', { name: 'goal_type' })
  goalType!: string;

  /** ISO 4217 code. */
  @PrimaryColumn('text')
  currency!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('integer')
  goals!: number;

  @Column('numeric', { precision: 24, scale: 4 })
  value!: string;
}

/** One slot of an app's users on one day, by the number of days since their previous day. */
@Entity('session_user_rollups')
export class UserGapDay {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn('date')
  day!: string;

  /** Days since the previous day of the user; -1 for their first day. */
  @PrimaryColumn('integer')
  gap!: number;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('integer')
  users!: number;
}
