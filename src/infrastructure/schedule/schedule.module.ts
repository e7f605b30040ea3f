import { Global, Module } from '@nestjs/common';
import { ScheduleModule as Timers } from '@nestjs/schedule';
import { OncePerSchedule } from './once-per-schedule';

/** Timers (`@Cron`, `@Interval`), and the lock that makes them work once for all processes. */
@Global()
@Module({ imports: [Timers.forRoot()], providers: [OncePerSchedule], exports: [OncePerSchedule] })
export class ScheduleModule {}
