import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from './roles';

/** A user of an organization, who can sign in to the console, and whose permissions API keys have. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Unique across all organizations, because it is the login name. */
  @Column({ type: 'text' })
  username!: string;

  /** Null for users who only sign in with the identity provider. */
  @Column({ name: 'password_hash', type: 'text', nullable: true })
  passwordHash!: string | null;

  /** Normalized by `normalizeEmail`; unique across all organizations. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /**
   * Whether a sign-in with the identity provider may be matched by the address (docs/security.md#who-may-sign-in-how).
   */
  @Column({ name: 'email_confirmed', type: 'boolean' })
  emailConfirmed!: boolean;

  /** Display name. */
  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text', array: true })
  permissions!: string[];

  /** Null: never. */
  @Column({ name: 'last_sign_in_at', type: 'timestamptz', nullable: true, insert: false, update: false })
  lastSignInAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
