import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { BulkJobCounts, BulkJobStatus, BulkJobType } from './bulk-job';

@Entity('bulk_jobs')
export class BulkJobRow implements BulkJobCounts {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @PrimaryColumn({ name: 'organization_id', type: 'bigint' })
  organizationId!: number;

  @Column({ type: 'text' })
  type!: BulkJobType;

  @Column({ type: 'text' })
  status!: BulkJobStatus;

  @Column({ type: 'integer' })
  total!: number;

  @Column({ type: 'integer' })
  processed!: number;

  @Column({ type: 'integer' })
  created!: number;

  @Column({ type: 'integer' })
  updated!: number;

  @Column({ type: 'integer' })
  failed!: number;

  @Column({ type: 'integer' })
  accepted!: number;

  @Column({ type: 'integer' })
  duplicated!: number;

  /** JSON of the first 100 errors, encrypted. */
  @Column({ type: 'text', nullable: true })
  errors!: string | null;

  /** JSON of context and items, encrypted; null once the job has ended. */
  @Column({ type: 'text', nullable: true })
  payload!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** Identifies the run that holds the job. */
  @Column({ type: 'uuid', nullable: true })
  lease!: string | null;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil!: Date | null;

  /** Consecutive failures of the current chunk. */
  @Column({ type: 'smallint' })
  failures!: number;
}
