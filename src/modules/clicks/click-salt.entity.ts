import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A salt of visitor hashes. */
@Entity('click_salts')
export class ClickSalt {
  /** A UTC day, a week or what else the salt is for. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  salt!: Buffer;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
