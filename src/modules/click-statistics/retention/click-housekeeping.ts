import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { LiveFeeds } from '../live/live-feeds';
import { ClickMonths } from '../rollups/click-months';
import { ClickRetention } from './click-retention';
import { CustomerSums } from '../customers/customer-sums';

/** Scheduled work on clicks: compaction and retention. */
@Injectable()
export class ClickHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly months: ClickMonths,
    private readonly userSums: CustomerSums,
    private readonly retention: ClickRetention,
    private readonly feeds: LiveFeeds,
  ) {}

  @Cron('23 2 * * *', { timeZone: 'UTC' })
  compactMonths(): Promise<boolean> {
    return this.schedule.run('clicks.months', 86_400, async () =>
      this.months.compact(await this.organizations.retentionDays()),
    );
  }

  @Cron('* * * * *')
  mergeUsers(): Promise<boolean> {
    return this.schedule.run('clicks.users.merge', 60, () => this.userSums.merge());
  }

  @Cron('13 * * * *')
  sumUsers(): Promise<boolean> {
    return this.schedule.run('clicks.users.sum', 3_600, () => this.userSums.fold());
  }

  @Cron('* * * * *')
  deleteAnnounced(): Promise<boolean> {
    return this.schedule.run('clicks.live', 60, () => this.feeds.deleteOld());
  }

  @Cron('43 3 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('clicks.retention', 86_400, async () =>
      this.retention.deleteOld(await this.organizations.retentionDays()),
    );
  }
}
