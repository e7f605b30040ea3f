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
export class SessionUserDay {
  @PrimaryColumn('bigint', { name: 'organization_id' })
  organizationId!: number;

  @PrimaryColumn('bigint', { name: 'app_id' })
  appId!: number;

  @PrimaryColumn('date')
  day!: string;

  @Column('bigint')
  users!: number;
}
