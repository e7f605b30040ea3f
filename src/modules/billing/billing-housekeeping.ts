import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { MessageSends } from './message-sends';

@Injectable()
export class BillingHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly sends: MessageSends,
  ) {}

  @Cron('23 4 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('billing.sends', 86_400, () => this.sends.deleteOld());
  }
}
