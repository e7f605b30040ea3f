import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last click of an address that counted on a link or campaign with a de-duplication window. */
@Entity('click_claims')
export class DedupLockRow {
  /** A value of TRACKED_LINK_KIND. */
  @PrimaryColumn({ name: 'target_kind', type: 'smallint' })
  kind!: number;

  @PrimaryColumn({ name: 'target_id', type: 'bigint' })
  trackedLinkId!: number;

  /** Keyed hash of the address. */
  @PrimaryColumn({ type: 'bytea' })
  address!: Buffer;

  @Column({ name: 'click_id', type: 'bigint' })
  clickId!: number;

  /** Time of the click. */
  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt!: Date;

  /** End of the window. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
