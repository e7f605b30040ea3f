import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of an association of a push token with a link or campaign; `LinkAssociation` is its decrypted form. */
@Entity('link_associations')
export class LinkAssociationRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** From the column's sequence: `sealed` is bound to the id, which must be known before the insert. */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  /** A value of TRACKED_LINK_KIND. */
  @Column({ type: 'smallint' })
  kind!: number;

  @Column({ name: 'tracked_link_id', type: 'bigint' })
  trackedLinkId!: number;

  @Column({ name: 'app_id', type: 'bigint' })
  appId!: number;

  /** Blind index of the push token; unique with the link or campaign. */
  @Column({ name: 'token_key', type: 'bytea' })
  tokenKey!: Buffer;

  /** Blind index of what identifies the user. */
  @Column({ name: 'user_key', type: 'bytea' })
  userKey!: Buffer;

  /** JSON of the push token and what identifies the user, encrypted. */
  @Column({ type: 'text' })
  sealed!: string;

  @Column({ name: 'associated_at', type: 'timestamptz' })
  associatedAt!: Date;
}
