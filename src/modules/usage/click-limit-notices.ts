import { Injectable, Logger } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import {
  OrganizationsService,
  type OrganizationTerms,
} from '../../access/organizations/organizations.service';
import { Database } from '../../infrastructure/database/database';
import { forEachSettled } from '../../common/for-each-settled';
import { OncePerSchedule } from '../../infrastructure/schedule/once-per-schedule';
import { WebhookOutbox } from '../webhooks/outbox/webhook-outbox';
import { MonthlyClicks } from './monthly-clicks';
import type { ClickLimitExceeded } from './usage.dto';

/** Notifies organizations, once a month, that their clicks have exceeded the limit. */
@Injectable()
export class ClickLimitNotices {
  private readonly logger = new Logger(ClickLimitNotices.name);

  constructor(
    private readonly schedule: OncePerSchedule,
    private readonly organizations: OrganizationsService,
    private readonly clicks: MonthlyClicks,
    private readonly database: Database,
    private readonly outbox: WebhookOutbox,
  ) {}

  @Cron('37 * * * *', { timeZone: 'UTC' })
  notify(): Promise<boolean> {
    return this.schedule.run('usage.clicks', 3_600, async () => {
      const organizations = await this.organizations.terms();
      await forEachSettled(
        organizations.filter(({ isDeleted }) => !isDeleted),
        (organization) => this.check(organization),
        { logger: this.logger, what: 'Check of monthly clicks' },
      );
    });
  }

  private async check({ id, timeZone, limits: { monthlyClicks: limit } }: OrganizationTerms): Promise<void> {
    const { month, clicks: usage } = await this.clicks.count(id, timeZone);
    if (usage <= limit) return;
    await this.database.write(async (tx) => {
      const added = await tx.execute(ADD, [id, `${month}-01`]);
      if (added === 0) return;
      const data: ClickLimitExceeded = { month, limit, usage };
      await this.outbox.add(tx, { name: 'usage.click_limit_exceeded', organizationId: id, data });
    });
  }
}

const ADD = `
  INSERT INTO click_limit_notices (organization_id, month) VALUES ($1, $2)
  ON CONFLICT (organization_id, month) DO NOTHING`;
