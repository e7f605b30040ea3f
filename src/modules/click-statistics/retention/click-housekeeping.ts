import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../../access/organizations/organizations.service';
import { CompactedMonths } from '../../../infrastructure/database/compacted-months';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { LiveFeeds } from '../live/live-feeds';
import { CLICK_MONTHS } from '../rollups/click-months';
import { ClickRetention } from './click-retention';
import { CUSTOMER_MONTHS } from '../customers/customer-months';

@Injectable()
export class ClickHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly months: CompactedMonths,
    private readonly retention: ClickRetention,
    private readonly feeds: LiveFeeds,
  ) {}

  @Cron('23 2 * * *', { timeZone: 'UTC' })
  compactMonths(): Promise<boolean> {
    return this.schedule.run('clicks.months', 86_400, async () =>
      this.months.compact([CLICK_MONTHS, CUSTOMER_MONTHS], await this.organizations.retentionDays()),
    );
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
