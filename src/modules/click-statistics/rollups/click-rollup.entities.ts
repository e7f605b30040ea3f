import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of the clicks of a link or campaign on one UTC day. */
@Entity('click_rollups')
export class ClickDay {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  /** People only, here and in `dimensions`. */
  @Column({ type: 'integer' })
  clicks!: number;

  @Column({ name: 'bot_clicks', type: 'integer' })
  botClicks!: number;

  /** Unique visitors that this slot was the first to count. */
  @Column({ type: 'integer' })
  visitors!: number;

  /** Values with their dimension, such as `country:KR` and `hour:09`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** Clicks for each of `dimensions`. */
  @Column({ name: 'dimension_counts', type: 'integer', array: true })
  dimensionCounts!: number[];
}

/** A visitor of a link or campaign on a UTC day; deleted with the salt of the day. */
@Entity('click_day_visitors')
export class DayVisitor {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND, or 11 for a visitor of one of a link's variants. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** First 64 bits of the visitor hash in `clicks`; a string, because a number is too imprecise. */
  @PrimaryColumn({ type: 'bigint' })
  visitor!: string;
}

/** One slot of the clicks of a link or campaign since its creation; retention does not delete it. */
@Entity('click_totals')
export class ClickTotal {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  /** Shard of a counter: concurrent writers use different slots, and readers sum over all of them. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  /** People only. */
  @Column({ type: 'bigint' })
  clicks!: number;

  @Column({ name: 'bot_clicks', type: 'bigint' })
  botClicks!: number;
}
