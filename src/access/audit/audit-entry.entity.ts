import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { AppKeyKind } from '../caller';

/** Old and new value of each changed field, secrets excluded. */
export type AuditChanges = Record<string, { from: unknown; to: unknown }>;

@Entity('audit_log')
export class AuditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'timestamptz' })
  at!: Date;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: string;

  @Column({ name: 'actor_id', type: 'bigint', nullable: true })
  actorId!: number | null;

  @Column({ name: 'actor_name', type: 'text', nullable: true })
  actorName!: string | null;

  @Column({ name: 'actor_key', type: 'text', nullable: true })
  actorKey!: AppKeyKind | null;

  @Column({ type: 'text' })
  ip!: string;

  @Column({ type: 'text' })
  action!: string;

  @Column({ name: 'resource_type', type: 'text' })
  resourceType!: string;

  @Column({ name: 'resource_id', type: 'text', nullable: true })
  resourceId!: string | null;

  @Column({ type: 'jsonb' })
  changes!: AuditChanges;
}
