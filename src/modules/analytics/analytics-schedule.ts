import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { EventDays } from './event-log/event-days';

@Injectable()
export class AnalyticsSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly eventDays: EventDays,
  ) {}

  /** Every hour, because days end at a different hour in each time zone. */
  @Cron('11 * * * *', { timeZone: 'UTC' })
  buildEventDays(): Promise<boolean> {
    return this.schedule.run('analytics.event-days', 3_600, () => this.eventDays.build());
  }
}
