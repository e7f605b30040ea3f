import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's login to the console. */
@Entity('console_sessions')
export class ConsoleSession {
  /** SHA-256 of the token. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
