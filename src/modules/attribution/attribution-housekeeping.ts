import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { AttributionRetention } from './attribution-retention';

@Injectable()
export class AttributionHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly retention: AttributionRetention,
  ) {}

  /** Frequent, so that fingerprints outlive their 24 hours only briefly. */
  @Cron('*/10 * * * *', { timeZone: 'UTC' })
  forget(): Promise<boolean> {
    return this.schedule.run('deep-links.forget', 600, () => this.retention.forget());
  }

  @Cron('53 3 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('deep-links.retention', 86_400, async () =>
      this.retention.deleteOld(await this.organizations.retentionDays('eventRetentionDays')),
    );
  }
}
