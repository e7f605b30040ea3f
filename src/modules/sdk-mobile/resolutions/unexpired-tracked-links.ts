import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import type { TrackedLinkEntity } from '../../tracked-links/tracked-link.entity';
import { Clock } from '../../../common/time/clock';
import { CampaignsRepository } from '../../campaigns/campaigns.repository';
import type { TrackedLinkRef } from '../../sessions/rollups/funnel-sums';
import { LinksRepository } from '../../links/links.repository';

/** Finds links and campaigns that have not expired since the click. */
@Injectable()
export class UnexpiredTrackedLinks {
  constructor(
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the link or campaign was deleted or has expired */
  async find(organizationId: number, { kind, id }: TrackedLinkRef): Promise<TrackedLinkEntity | null> {
    try {
      const trackedLink = await (kind === 'link' ? this.links : this.campaigns).get(organizationId, id);
      const isOver = trackedLink.expiresAt !== null && trackedLink.expiresAt.getTime() <= this.clock.now();
      return isOver ? null : trackedLink;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}
