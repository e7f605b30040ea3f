import { Global, Module } from '@nestjs/common';
import { ScheduleModule as Timers } from '@nestjs/schedule';
import { OncePerSchedule } from './once-per-schedule';
import { ScheduleMetrics } from './schedule-metrics';

/** Timers (`@Cron`, `@Interval`), and the lock by which only one process at a time runs a job. */
@Global()
@Module({
  imports: [Timers.forRoot()],
  providers: [OncePerSchedule, ScheduleMetrics],
  exports: [OncePerSchedule],
})
export class ScheduleModule {}
