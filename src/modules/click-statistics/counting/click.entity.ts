import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A click, bots included, until the end of the retention; the table has a partition for each month. */
@Entity('clicks')
export class ClickRow {
  @PrimaryColumn({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  /** Of the apps of its link or campaign, the one that the visit was for. */
  @Column({ name: 'app_id', type: 'bigint', nullable: true })
  appId!: number | null;

  /** Hash of address and user agent with a salt of the day. */
  @Column({ type: 'bytea' })
  visitor!: Buffer;

  @Column({ name: 'is_bot', type: 'boolean' })
  isBot!: boolean;

  /** Values with their dimension, such as `utm_source:mail`; null for clicks that the version before counted. */
  @Column({ type: 'text', array: true, nullable: true })
  dimensions!: string[] | null;

  /** The customer that the click of a campaign named. */
  @Column({ name: 'custom_id', type: 'text', nullable: true })
  customId!: string | null;
}
