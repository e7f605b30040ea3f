import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from '../roles';

/** A user of an organization, who can log in to the console, and whose permissions keys have. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  /** Unique across all organizations, because it is the login name. */
  @Column({ type: 'text' })
  username!: string;

  @Column({ name: 'password_hash', type: 'text' })
  passwordHash!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text', array: true })
  permissions!: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
