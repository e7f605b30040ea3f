import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of ENCRYPTION_KEYS that values of the database may be encrypted with. */
@Entity('encryption_keys')
export class KnownKey {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** A known text encrypted with the key, by which a wrong key of the same id is detected. */
  @Column({ name: 'check_value', type: 'text' })
  checkValue!: string;

  @Column({ name: 'active_since', type: 'timestamptz' })
  activeSince!: Date;
}
