import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/caller';
import { ConcurrentUses } from '../../access/limits/concurrent-uses';
import { Database } from '../../infrastructure/database/database';
import { ContactLimit } from '../contacts/contact-limit';
import { LinkLimit } from '../links/link-limit';
import { WebhookEndpointsRepository } from '../webhooks/endpoints/webhook-endpoints.repository';
import { MonthlyClicks } from './monthly-clicks';
import { MadeQuery } from './made.query';
import type { UsageResponse } from './usage.dto';

/** How much of its limits an organization uses (docs/concepts/access.md#limits). */
@Injectable()
export class UsageService {
  constructor(
    private readonly links: LinkLimit,
    private readonly contacts: ContactLimit,
    private readonly webhooks: WebhookEndpointsRepository,
    private readonly made: MadeQuery,
    private readonly clicks: MonthlyClicks,
    private readonly uses: ConcurrentUses,
    private readonly database: Database,
  ) {}

  async get({ organizationId: id, organization }: Caller): Promise<UsageResponse> {
    const { plan, timeZone, limits } = organization;
    const { month, clicks } = await this.clicks.count(id, timeZone);
    const counted = await this.database.report(id, async (tx) => ({
      links: await this.links.usage(id, tx),
      contacts: await this.contacts.usage(id, tx),
      webhookEndpoints: await this.webhooks.count(tx, id),
      made: await this.made.run(tx, id),
    }));
    return {
      plan,
      links: { limit: limits.links, usage: counted.links },
      monthlyClicks: {
        limit: limits.monthlyClicks,
        usage: clicks,
        month,
        exceeded: clicks > limits.monthlyClicks,
      },
      contacts: { limit: limits.contacts, usage: counted.contacts },
      concurrentImports: { limit: limits.concurrentImports, usage: await this.uses.count('imports', id) },
      importRows: { limit: limits.importRows },
      webhookEndpoints: { limit: limits.webhookEndpoints, usage: counted.webhookEndpoints },
      apps: { limit: limits.apps, usage: counted.made.apps },
      customDomains: { limit: limits.customDomains, usage: counted.made.customDomains },
      campaigns: { limit: limits.campaigns, usage: counted.made.campaigns },
      contactGroups: { limit: limits.contactGroups, usage: counted.made.contactGroups },
      apiKeys: { limit: limits.apiKeys, usage: counted.made.apiKeys },
      users: { limit: limits.users, usage: counted.made.users },
      invitations: { limit: limits.invitations, usage: counted.made.invitations },
      allowListEntries: { limit: limits.allowListEntries, usage: counted.made.allowListEntries },
      liveListeners: { limit: limits.liveListeners, usage: await this.uses.count('listeners', id) },
      retention: {
        clickRetentionDays: limits.clickRetentionDays,
        eventRetentionDays: limits.eventRetentionDays,
        rollupRetentionMonths: limits.rollupRetentionMonths,
        auditRetentionMonths: limits.auditRetentionMonths,
      },
    };
  }
}
