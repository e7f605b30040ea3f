import { Global, Module } from '@nestjs/common';
import { BulkJobBell } from './bulk-job-bell';
import { BulkJobHandlers } from './bulk-job-handlers';
import { BulkJobRows } from './bulk-job-rows';
import { BulkJobRunner } from './bulk-job-runner';
import { BulkJobSchedule } from './bulk-job-schedule';
import { BulkJobs } from './bulk-jobs';

/** Bulk jobs: `BulkJobs` takes them, `BulkJobHandlers` is told by modules how to do them. */
@Global()
@Module({
  providers: [BulkJobs, BulkJobHandlers, BulkJobRows, BulkJobRunner, BulkJobSchedule, BulkJobBell],
  exports: [BulkJobs, BulkJobHandlers],
})
export class JobsModule {}
