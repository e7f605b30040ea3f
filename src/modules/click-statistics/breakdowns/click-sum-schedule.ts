import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { ClickSumBuilder } from './click-sum-builder';

@Injectable()
export class ClickSumSchedule {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly builder: ClickSumBuilder,
  ) {}

  /** Frequent, because days end at a different hour in each time zone, and runs are short. */
  @Cron('*/5 * * * *')
  sumDays(): Promise<boolean> {
    return this.schedule.run('clicks.breakdowns', 300, async () => {
      const retentionDays = await this.organizations.retentionDays();
      await this.builder.build(Math.max(0, ...retentionDays.values()));
    });
  }
}
