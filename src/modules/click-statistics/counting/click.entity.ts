import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A raw click, including bots' clicks, for the retention period; partitioned by month. */
@Entity('clicks')
export class ClickRow {
  @PrimaryColumn({ name: 'clicked_at', type: 'timestamptz' })
  clickedAt!: Date;

  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint' })
  kind!: number;

  /** The app that the visit was for, of those of the link or campaign. */
  @Column({ name: 'app_id', type: 'bigint', nullable: true })
  appId!: number | null;

  @Column({ name: 'is_bot', type: 'boolean' })
  isBot!: boolean;

  /** Values with their dimension, such as `utm_source:mail`. */
  @Column({ type: 'text', array: true })
  dimensions!: string[];

  /** The customId of a campaign click. */
  @Column({ name: 'custom_id', type: 'text', nullable: true })
  customId!: string | null;

  /** Day in the organization's time zone when the click was counted. */
  @Column({ name: 'local_day', type: 'date' })
  localDay!: string;

  /** 64-bit hash of IP address and user agent with a salt of that day. */
  @Column({ name: 'local_visitor', type: 'bigint' })
  localVisitor!: string;
}
