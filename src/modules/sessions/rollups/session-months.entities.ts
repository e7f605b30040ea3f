import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whether the sums of an organization's month (goal_months, session_user_days) are exact. */
@Entity('session_months')
export class SessionMonth {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('date')
  month!: string;

  @Column('boolean', { name: 'is_compacted' })
  isCompacted!: boolean;
}

/** Goals of one type and currency that a link or campaign led to in an app, in a month. */
@Entity('goal_months')
export class GoalMonth {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('smallint', { name: 'subject_kind' })
  subjectKind!: number;

  @PrimaryColumn('date')
  month!: string;

  /** 0 when no app is known. */
  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  @PrimaryColumn('bigint', { name: 'subject_id' })
  subjectId!: number;

  @PrimaryColumn('text', { name: 'goal_type' })
  goalType!: string;

  /** Empty when the goal has none. */
  @PrimaryColumn('text')
  currency!: string;

  @Column('bigint')
  goals!: number;
}

/** Different users of an app on a day of a compacted month. */
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

/** A part of the goals of one type that an app, link or campaign reached on one day. */
@Entity('goal_rollups')
export class GoalDay {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('smallint', { name: 'subject_kind' })
  subjectKind!: number;

  /** ALL_OF_KIND for all links, all campaigns, or (kind app) neither. */
  @PrimaryColumn('bigint', { name: 'subject_id' })
  subjectId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn('date')
  day!: string;

  /** 0 when no app is known. */
  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  /** A value of PLATFORM_NUMBER. */
  @PrimaryColumn('smallint')
  platform!: number;

  @PrimaryColumn('text', { name: 'goal_type' })
  goalType!: string;

  /** Empty when the goal has none. */
  @PrimaryColumn('text')
  currency!: string;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('integer')
  goals!: number;

  @Column('numeric', { precision: 24, scale: 4 })
  value!: string;
}

/** A part of an app's users on one day, by how many days before they had been there. */
@Entity('session_user_rollups')
export class UserGapDay {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn('date')
  day!: string;

  /** Days since the user was there before; -1 for the first time. */
  @PrimaryColumn('integer')
  gap!: number;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn('smallint')
  slot!: number;

  @Column('integer')
  users!: number;
}
