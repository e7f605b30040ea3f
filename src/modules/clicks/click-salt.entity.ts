import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A salt of visitor hashes. */
@Entity('click_salts')
export class ClickSalt {
  /** Purpose: a UTC day, `week` with its Monday, or `addresses`. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  salt!: Buffer;

  /** Null if the salt never expires. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
