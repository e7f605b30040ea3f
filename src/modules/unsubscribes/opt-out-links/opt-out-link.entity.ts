import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of an opt-out link; `OptOutLink` is its decrypted form. */
@Entity('opt_out_links')
export class OptOutLinkRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** From the column's sequence: `sealed` is bound to the id, which must be known before the insert. */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  /** Number of the channel, see `channelCode`. */
  @Column({ type: 'smallint' })
  channel!: number;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** JSON of token, value and campaign, encrypted. */
  @Column({ type: 'text' })
  sealed!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
