import { Global, Module } from '@nestjs/common';
import { BulkJobWakeUps } from './bulk-job-wake-ups';
import { BulkJobHandlers } from './bulk-job-handlers';
import { BulkJobRows } from './bulk-job.repository';
import { BulkJobRunner } from './bulk-job-runner';
import { BulkJobSchedule } from './bulk-job-schedule';
import { BulkJobs } from './bulk-jobs';

/** Bulk jobs: `BulkJobs` takes them, `BulkJobHandlers` is told by modules how to do them. */
@Global()
@Module({
  providers: [BulkJobs, BulkJobHandlers, BulkJobRows, BulkJobRunner, BulkJobSchedule, BulkJobWakeUps],
  exports: [BulkJobs, BulkJobHandlers],
})
export class JobsModule {}
