import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of retention in an organization's clicks. */
@Entity('click_retention')
export class ClickRetentionMark {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Clicks before this time have been deleted. */
  @Column({ name: 'deleted_until', type: 'timestamptz' })
  deletedUntil!: Date;
}
