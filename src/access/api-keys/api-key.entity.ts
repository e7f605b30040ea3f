import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A key of the Service API. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** The user whose permissions the key has. */
  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  name!: string;

  /** SHA-256 of the key. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  /** Its first 12 characters, for display. */
  @Column({ type: 'text' })
  prefix!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** To the minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;
}
