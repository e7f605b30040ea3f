import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../access/organizations/organizations.service';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { DeepLinkRetention } from './attribution-retention';

/** Scheduled work on tokens and on what apps report: what has had its time is deleted. */
@Injectable()
export class DeepLinkHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly retention: DeepLinkRetention,
  ) {}

  /** Every few minutes, as a fingerprint is kept for its 24 hours and hardly longer. */
  @Cron('*/10 * * * *', { timeZone: 'UTC' })
  forget(): Promise<boolean> {
    return this.schedule.run('deep-links.forget', 600, () => this.retention.forget());
  }

  @Cron('53 3 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('deep-links.retention', 86_400, async () =>
      this.retention.deleteOld(await this.organizations.retentionDays()),
    );
  }
}
