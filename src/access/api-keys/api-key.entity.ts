import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the key. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  /** The first 12 characters, for display. */
  @Column({ type: 'text' })
  prefix!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;

  /** SHA-256 of the key before the last rotation, if that had an overlap. */
  @Column({ name: 'previous_hash', type: 'bytea', nullable: true })
  previousHash!: Buffer | null;

  /** End of the overlap, which may have passed. */
  @Column({ name: 'previous_expires_at', type: 'timestamptz', nullable: true })
  previousExpiresAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Truncated to the minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Last use of the previous key, truncated to the minute. */
  @Column({ name: 'previous_last_used_at', type: 'timestamptz', nullable: true })
  previousLastUsedAt!: Date | null;
}

/** The hashes under which the key may be cached. */
export function hashesOf({ hash, previousHash }: ApiKey): Buffer[] {
  return previousHash ? [hash, previousHash] : [hash];
}

/** End of the overlap, in which the previous key still works; null outside an overlap. */
export function previousKeyExpiresAt({ previousExpiresAt, expiresAt }: ApiKey, now: number): Date | null {
  if (!previousExpiresAt) return null;
  const end = expiresAt && expiresAt < previousExpiresAt ? expiresAt : previousExpiresAt;
  return end.getTime() > now ? end : null;
}
