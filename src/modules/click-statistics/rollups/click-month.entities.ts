import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Clicks of a link or campaign by dimension value, summed over a finished month. */
@Entity('click_months')
export class ClickMonth {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  /** First day of the month. */
  @PrimaryColumn({ type: 'date' })
  month!: string;

  /** Values with their dimension, such as `country:KR`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** Clicks of people for each of `dimensions`. */
  @Column({ type: 'bigint', array: true })
  counts!: string[];

  /** Clicks in each hour of the week, from Monday. */
  @Column({ name: 'hours_of_week', type: 'bigint', array: true })
  hoursOfWeek!: string[];
}

/** A month of a link or campaign that the next run compacts. */
@Entity('click_months_due')
export class DueClickMonth {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  /** First day of the month. */
  @PrimaryColumn({ type: 'date' })
  month!: string;
}

/** A month whose links and campaigns have been listed as due; from then on, only late clicks make any due. */
@Entity('click_months_built')
export class ListedClickMonth {
  /** First day of the month. */
  @PrimaryColumn({ type: 'date' })
  month!: string;

  @Column({ name: 'built_at', type: 'timestamptz' })
  listedAt!: Date;
}
