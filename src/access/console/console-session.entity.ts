import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How a session was opened. */
export const SESSION_ORIGINS = ['PASSWORD', 'OIDC', 'INVITATION', 'LINK'] as const;
export type SessionOrigin = (typeof SESSION_ORIGINS)[number];

/** A user's login to the console. */
@Entity('console_sessions')
export class ConsoleSession {
  /** SHA-256 of the token. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** Names the session in the API. */
  @Column({ type: 'bigint', insert: false, update: false })
  id!: number;

  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'opened_by', type: 'text' })
  openedBy!: SessionOrigin;

  @Column({ type: 'text', nullable: true })
  browser!: string | null;

  @Column({ name: 'operating_system', type: 'text', nullable: true })
  operatingSystem!: string | null;

  /** To the minute; null before the first call. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', nullable: true })
  lastSeenAt!: Date | null;
}
