import { InjectQueue, Process, Processor } from '@nestjs/bull';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../schedule/once-per-schedule';
import { BULK_JOBS_QUEUE } from './bulk-job';
import { BulkJobRepository } from './bulk-job.repository';
import { BulkJobRunner } from './bulk-job-runner';
import { BulkJobs } from './bulk-jobs';
import { WakeUpQueue, type WorkItem } from './wake-up-queue';
import { WakeUpProcessor } from './wake-up.processor';

const SWEEP_SECONDS = 10;
/** Wake-ups per sweep; the next sweep continues. */
const MAX_WAKE_UPS = 1_000;

@Processor(BULK_JOBS_QUEUE)
export class BulkJobsProcessor extends WakeUpProcessor {
  constructor(
    @InjectQueue(BULK_JOBS_QUEUE) queue: WakeUpQueue,
    schedule: OncePerSchedule,
    private readonly rows: BulkJobRepository,
    private readonly jobs: BulkJobs,
    private readonly runner: BulkJobRunner,
  ) {
    super(queue, schedule);
  }

  @Process({ concurrency: 2 })
  run(): Promise<void> {
    return this.runner.runNext();
  }

  @Cron(`*/${SWEEP_SECONDS} * * * * *`)
  sweep(): Promise<boolean> {
    return this.schedule.run('jobs.sweep', SWEEP_SECONDS, () => this.notifyDue());
  }

  @Cron('37 * * * *')
  purge(): Promise<boolean> {
    return this.schedule.run('jobs.purge', 3600, () => this.jobs.deleteOld());
  }

  protected due(): Promise<WorkItem[]> {
    return this.rows.due(MAX_WAKE_UPS);
  }

  protected stop(): Promise<void> {
    return this.runner.stop();
  }
}
