import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of ENCRYPTION_KEYS with which values of the database may be encrypted. */
@Entity('encryption_keys')
export class KnownKey {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** A known text, encrypted with the key. */
  @Column({ name: 'check_value', type: 'text' })
  checkValue!: string;

  @Column({ name: 'active_since', type: 'timestamptz' })
  activeSince!: Date;
}
