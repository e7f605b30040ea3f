import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../common/errors/errors';
import type { TargetEntity } from '../../tracked-links/tracked-link.entity';
import { Clock } from '../../../common/time/clock';
import { CampaignsRepository } from '../../campaigns/campaigns.repository';
import type { FunnelTarget } from '../../sessions/rollups/funnel-sums';
import { LinksRepository } from '../../links/links.repository';

/** Links and campaigns that were clicked a while ago. */
@Injectable()
export class ClickedTargets {
  constructor(
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly clock: Clock,
  ) {}

  /** What was clicked; null when it has been deleted, or has expired. */
  async find(organizationId: number, { kind, id }: FunnelTarget): Promise<TargetEntity | null> {
    try {
      const target = await (kind === 'link' ? this.links : this.campaigns).get(organizationId, id);
      const isOver = target.expiresAt !== null && target.expiresAt.getTime() <= this.clock.now();
      return isOver ? null : target;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}
