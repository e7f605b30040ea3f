import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { DateTime } from 'luxon';
import { Clock } from '../../common/time/clock';
import { Database } from '../../infrastructure/database/database';
import { forEachSettled } from '../../infrastructure/schedule/for-each-settled';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { OrganizationsService } from '../organizations/organizations.service';

/** Deletes entries of the audit log past their retention (docs/concepts/access.md#audit-log). */
@Injectable()
export class AuditRetention {
  private readonly logger = new Logger(AuditRetention.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Cron('13 4 * * *', { timeZone: 'UTC' })
  deleteOld(): Promise<boolean> {
    return this.schedule.run('access.audit', 86_400, async () => {
      const now = DateTime.fromMillis(this.clock.now(), { zone: 'utc' });
      await forEachSettled(
        await this.organizations.terms(),
        ({ id, limits }) => this.deleteOf(id, now.minus({ months: limits.auditRetentionMonths }).toJSDate()),
        { logger: this.logger, what: 'Deletion of old audit entries' },
      );
    });
  }

  private async deleteOf(organizationId: number, before: Date): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.database.execute(DELETE_FIRST, [organizationId, before]);
    } while (deleted > 0);
  }
}

// The oldest entries by id, which grows with time, because there is no index by time.
const DELETE_FIRST = `
  DELETE FROM audit_log a
   USING (SELECT id FROM audit_log WHERE organization_id = $1 ORDER BY id LIMIT 10000) AS first
   WHERE a.organization_id = $1 AND a.id = first.id AND a.at < $2`;
