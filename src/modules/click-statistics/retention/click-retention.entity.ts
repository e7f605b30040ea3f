import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far retention has deleted the clicks of an organization. */
@Entity('click_retention')
export class ClickRetentionMark {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Clicks before it are gone. */
  @Column({ name: 'deleted_until', type: 'timestamptz' })
  deletedUntil!: Date;
}
