import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of the clicks of a link or campaign on one UTC day. */
@Entity('click_rollups')
export class ClickDay {
  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ type: 'date' })
  day!: string;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
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

  /** How often each of `dimensions` was clicked. */
  @Column({ name: 'dimension_counts', type: 'integer', array: true })
  dimensionCounts!: number[];
}

/** A part of the clicks of a link or campaign since it was created; retention leaves it. */
@Entity('click_totals')
export class ClickTotal {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  /** Concurrent writers use different slots; a figure is the sum over slots. */
  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  /** People only. */
  @Column({ type: 'bigint' })
  clicks!: number;

  @Column({ name: 'bot_clicks', type: 'bigint' })
  botClicks!: number;
}
