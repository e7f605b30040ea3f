import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One slot of the clicks of a link or campaign on one UTC day. */
@Entity('click_rollups')
export class ClickDay {
  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
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

  /** Values with their dimension, such as `country:KR` and `hour:09`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** Clicks for each of `dimensions`. */
  @Column({ name: 'dimension_counts', type: 'integer', array: true })
  dimensionCounts!: number[];
}

/** One slot of the clicks of a link or campaign since its creation; retention does not delete it. */
@Entity('click_totals')
export class ClickTotal {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
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
