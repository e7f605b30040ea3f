import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Recent failed logins of a user name, existing or not. */
@Entity('login_failures')
export class LoginFailure {
  /** SHA-256 of the user name. */
  @PrimaryColumn({ name: 'username_hash', type: 'bytea' })
  usernameHash!: Buffer;

  @Column({ name: 'failed_at', type: 'timestamptz', array: true })
  failedAt!: Date[];

  @Column({ name: 'locked_until', type: 'timestamptz', nullable: true })
  lockedUntil!: Date | null;

  @Column({ name: 'last_at', type: 'timestamptz' })
  lastAt!: Date;
}
