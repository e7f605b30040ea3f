import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The last counted click of an address on a link or campaign with a de-duplication window. The table and its columns
 * are named after an older term, claim.
 */
@Entity('click_claims')
export class DedupLockRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** Keyed hash of the IP address. */
  @PrimaryColumn({ type: 'bytea' })
  address!: Buffer;

  @Column({ name: 'click_id', type: 'bigint' })
  clickId!: number;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  clickedAt!: Date;

  /** End of the de-duplication window. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
