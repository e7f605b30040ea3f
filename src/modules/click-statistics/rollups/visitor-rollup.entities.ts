import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A visitor of a week; deleted when no late clicks of the week are expected any more. */
@Entity('click_visitors')
export class ClickVisitor {
  /** Monday of the week, in the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  week!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for the whole organization, including clicks without an app. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** 64-bit hash of IP address and user agent with a salt of the week; a string, because a number is too imprecise. */
  @PrimaryColumn({ type: 'bigint' })
  visitor!: number;

  /** Bit n is set if the visitor clicked on day n of the week, from Monday (0). */
  @Column({ type: 'smallint' })
  days!: number;

  /** `days` before its last change. */
  @Column({ name: 'previous_days', type: 'smallint' })
  previousDays!: number;
}

/** One slot of the unique visitors of one day, and of their clicks. */
@Entity('visitor_rollups')
export class VisitorDayRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for the whole organization, including clicks without an app. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  visitors!: number;

  @Column({ name: 'link_clicks', type: 'integer' })
  linkClicks!: number;

  @Column({ name: 'campaign_clicks', type: 'integer' })
  campaignClicks!: number;
}

/** One slot of the unique visitors of one week. */
@Entity('visitor_week_rollups')
export class VisitorWeekRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for the whole organization, including clicks without an app. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** Monday of the week, in the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  week!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  visitors!: number;
}
