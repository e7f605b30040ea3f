import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The values of a link or campaign that were clicked in a finished month, summed over its days. */
@Entity('click_months')
export class ClickMonth {
  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  /** Its first day. */
  @PrimaryColumn({ type: 'date' })
  month!: string;

  /** Values with their dimension, such as `country:KR`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** How often each of `dimensions` was clicked by people. */
  @Column({ type: 'bigint', array: true })
  counts!: string[];
}

/** A month of a link or campaign that the next compaction summarizes. */
@Entity('click_months_due')
export class DueClickMonth {
  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  /** Its first day. */
  @PrimaryColumn({ type: 'date' })
  month!: string;
}

/** A month whose links and campaigns have been listed for compaction; later ones are due because of late clicks. */
@Entity('click_months_built')
export class ListedClickMonth {
  /** Its first day. */
  @PrimaryColumn({ type: 'date' })
  month!: string;

  @Column({ name: 'built_at', type: 'timestamptz' })
  listedAt!: Date;
}
