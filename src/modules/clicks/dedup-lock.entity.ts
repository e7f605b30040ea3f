import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last counted click of an address on a link or campaign with a de-duplication window. */
@Entity('dedup_locks')
export class DedupLockRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  /** Keyed hash of the IP address. */
  @PrimaryColumn({ type: 'bytea' })
  address!: Buffer;

  @Column({ name: 'click_id', type: 'bigint' })
  clickId!: number;

  @Column({ name: 'locked_at', type: 'timestamptz' })
  lockedAt!: Date;

  /** End of the de-duplication window. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
