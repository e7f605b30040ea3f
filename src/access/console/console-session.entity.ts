import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SESSION_ORIGINS = ['PASSWORD', 'OIDC', 'INVITATION', 'LINK'] as const;
export type SessionOrigin = (typeof SESSION_ORIGINS)[number];

@Entity('console_sessions')
export class ConsoleSession {
  /** SHA-256 of the token. */
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** Id of the session in the API, which does not reveal the token. */
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

  /** Truncated to the minute; null before the first request. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', nullable: true })
  lastSeenAt!: Date | null;
}
