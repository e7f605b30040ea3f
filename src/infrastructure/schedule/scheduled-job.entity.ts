import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A scheduled job; its row is locked while a process runs it. */
@Entity('scheduled_jobs')
export class ScheduledJob {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  /** Null before its first run. */
  @Column({ name: 'last_run_at', type: 'timestamptz', nullable: true })
  lastRunAt!: Date | null;
}
