import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { DebugSchemesService } from './debug-schemes.service';

@Injectable()
export class DebugSchemesHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly reports: DebugSchemesService,
  ) {}

  @Cron('5-59/10 * * * *', { timeZone: 'UTC' })
  purge(): Promise<boolean> {
    return this.schedule.run('debug-schemes.purge', 600, () => this.reports.purge());
  }
}
