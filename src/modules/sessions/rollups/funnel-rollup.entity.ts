import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of the clicks, installs and other funnel counts of an app, link or campaign in one period. */
@Entity('funnel_rollups')
export class FunnelRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of SUBJECT_KIND, or of `subjectKindOn` for one platform only. */
  @PrimaryColumn({ name: 'subject_kind', type: 'smallint' })
  subjectKind!: number;

  @PrimaryColumn({ name: 'subject_id', type: 'bigint' })
  subjectId!: number;

  /** Length of the period: DAY_MINUTES, and for campaigns also QUARTER_MINUTES. */
  @PrimaryColumn({ type: 'smallint' })
  minutes!: number;

  /** Start of a UTC day or quarter of an hour. */
  @PrimaryColumn({ name: 'starts_at', type: 'timestamptz' })
  startsAt!: Date;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  /** Set only for apps, and for campaigns by quarters of an hour; other clicks are in click_rollups. */
  @Column({ type: 'integer' })
  clicks!: number;

  @Column({ name: 'ios_clicks', type: 'integer' })
  iosClicks!: number;

  @Column({ name: 'android_clicks', type: 'integer' })
  androidClicks!: number;

  @Column({ name: 'ios_installs', type: 'integer' })
  iosInstalls!: number;

  @Column({ name: 'android_installs', type: 'integer' })
  androidInstalls!: number;

  /** Values of FUNNEL_TERM. */
  @Column({ type: 'integer', array: true })
  terms!: number[];

  /** How often each of `terms` occurred. */
  @Column({ type: 'integer', array: true })
  counts!: number[];
}
