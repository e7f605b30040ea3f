import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who clicked in a week; deleted when no more late clicks of the week are expected. */
@Entity('click_visitors')
export class ClickVisitor {
  /** Its Monday, in the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  week!: string;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for all apps together and clicks without one. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** 64-bit hash of address and user agent with a salt of the week, beyond the precision of a number. */
  @PrimaryColumn({ type: 'bigint' })
  visitor!: number;

  /** Bit n: clicked on day n of the week, from Monday (0). */
  @Column({ type: 'smallint' })
  days!: number;

  /** `days` before its last change. */
  @Column({ name: 'previous_days', type: 'smallint' })
  previousDays!: number;
}

/** A part of the people who clicked on one day, and of their clicks. */
@Entity('visitor_rollups')
export class VisitorDayRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for all apps together and clicks without one. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** In the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  visitors!: number;

  @Column({ name: 'link_clicks', type: 'integer' })
  linkClicks!: number;

  @Column({ name: 'campaign_clicks', type: 'integer' })
  campaignClicks!: number;
}

/** A part of the people who clicked in one week. */
@Entity('visitor_week_rollups')
export class VisitorWeekRollup {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** 0 for all apps together and clicks without one. */
  @PrimaryColumn({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** Its Monday, in the organization's time zone. */
  @PrimaryColumn({ type: 'date' })
  week!: string;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'integer' })
  visitors!: number;
}
