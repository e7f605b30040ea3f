import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BULK_JOBS_QUEUE } from './bulk-job';
import { BulkJobHandlers } from './bulk-job-handlers';
import { BulkJobRow } from './bulk-job.entity';
import { BulkJobMetrics } from './bulk-job-metrics';
import { BulkJobRepository } from './bulk-job.repository';
import { BulkJobRunner } from './bulk-job-runner';
import { BulkJobs } from './bulk-jobs';
import { BulkJobsProcessor } from './bulk-jobs.processor';
import { WakeUpQueueModule } from './wake-up-queue.module';

/** Bulk jobs: `BulkJobs` accepts them, and modules register handlers of their types with `BulkJobHandlers`. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([BulkJobRow]),
    WakeUpQueueModule.register({ name: BULK_JOBS_QUEUE, once: true }),
  ],
  providers: [BulkJobs, BulkJobHandlers, BulkJobRepository, BulkJobRunner, BulkJobsProcessor, BulkJobMetrics],
  exports: [BulkJobs, BulkJobHandlers],
})
export class JobsModule {}
