import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from './roles';

/** An open invitation; the row is deleted when it is used or revoked. */
@Entity('invitations')
export class Invitation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** Normalized by `normalizeEmail`. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text', array: true })
  permissions!: string[];

  /** The user who created it; null for the platform. */
  @Column({ name: 'created_by', type: 'bigint', nullable: true })
  createdBy!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
