import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of an opt-out link; `OptOutLink` is the decrypted form. */
@Entity('opt_out_links')
export class OptOutLinkRow {
  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Assigned from the column's sequence before the insert, because the encryption of `sealed` is bound to it. */
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  /** `channelCode` of the channel. */
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
