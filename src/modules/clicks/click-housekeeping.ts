import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { ClickMonths } from './click-months';
import { ClickRetention } from './click-retention';

/** Daily work on clicks: sums of months that are over, and deleting what has had its time. */
@Injectable()
export class ClickHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly months: ClickMonths,
    private readonly retention: ClickRetention,
  ) {}

  @Cron('23 2 * * *', { timeZone: 'UTC' })
  buildMonths(): Promise<boolean> {
    return this.schedule.run('clicks.months', 86_400, () => this.months.build());
  }

  @Cron('43 3 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('clicks.retention', 86_400, async () =>
      this.retention.deleteOld(await this.organizations.retentionDays()),
    );
  }
}
