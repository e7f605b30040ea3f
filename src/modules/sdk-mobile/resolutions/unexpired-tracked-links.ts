import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import type { TrackedLinkEntity } from '../../tracked-links/tracked-link.entity';
import { Clock } from '../../../common/time/clock';
import { CampaignsRepository } from '../../campaigns/campaigns.repository';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { LinksRepository } from '../../links/links.repository';

@Injectable()
export class UnexpiredTrackedLinks {
  constructor(
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns null if it is deleted, disabled or switched off, has expired, or has not started */
  async find(organizationId: number, { kind, id }: TrackedLinkRef): Promise<TrackedLinkEntity | null> {
    try {
      const trackedLink = await (kind === 'link' ? this.links : this.campaigns).get(organizationId, id);
      const { disabledReason, enabled, startsAt, expiresAt } = trackedLink;
      const now = this.clock.date();
      const isOpen = (!startsAt || startsAt <= now) && (!expiresAt || expiresAt > now);
      return disabledReason === null && enabled && isOpen ? trackedLink : null;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}
