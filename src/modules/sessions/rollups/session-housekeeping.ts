import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { OrganizationsService } from '../../../access/organizations/organizations.service';
import { CompactedMonths } from '../../../infrastructure/database/compacted-months';
import { OncePerSchedule } from '../../../infrastructure/schedule/once-per-schedule';
import { SESSION_MONTHS } from './session-months';

@Injectable()
export class SessionHousekeeping {
  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly months: CompactedMonths,
  ) {}

  @Cron('33 2 * * *', { timeZone: 'UTC' })
  compactMonths(): Promise<boolean> {
    return this.schedule.run('sessions.months', 86_400, async () =>
      this.months.compact([SESSION_MONTHS], await this.organizations.retentionDays('eventRetentionDays')),
    );
  }
}
