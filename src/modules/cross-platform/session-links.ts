import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import { CampaignsRepository } from '../campaigns/campaigns.repository';
import type { FunnelTarget } from '../sessions/rollups/funnel-sums';
import { TokenClicks } from '../attribution/tokens/token-clicks';
import { LinksRepository } from '../links/links.repository';
import { OrganizationLinks } from '../links/organization-links';

/** How a call names a link or campaign; the first that is given counts. */
export interface NamedTarget {
  token?: string | null;
  urlId?: number | null;
  campaignId?: number | null;
  shortCode?: string | null;
}

/** A link or campaign of the organization. */
export interface FoundTarget {
  target: FunnelTarget;
  goalType: string | null;
  /** The session of the token's click. */
  clickSessionId: string | null;
}

/** Finds what led to sessions. */
@Injectable()
export class SessionTargets {
  constructor(
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly organizationLinks: OrganizationLinks,
    private readonly clicks: TokenClicks,
  ) {}

  /** @returns null when none is named @throws NotFound when it is not there */
  async find({ organizationId }: AppCaller, named: NamedTarget): Promise<FoundTarget | null> {
    const { token, urlId, campaignId, shortCode } = named;
    if (token) {
      const click = await this.clicks.find(organizationId, token);
      if (!click) throw new NotFound('Token');
      const goalType = await this.goalTypeOf(organizationId, click.target);
      return { target: click.target, goalType, clickSessionId: click.sessionId };
    }
    if (urlId) return found('link', await this.links.get(organizationId, urlId));
    if (campaignId) return found('campaign', await this.campaigns.get(organizationId, campaignId));
    if (shortCode) return found('link', await this.organizationLinks.get(organizationId, shortCode));
    return null;
  }

  /** The goal type of a link or campaign; null when it has none, or has been deleted. */
  async goalTypeOf(organizationId: number, { kind, id }: FunnelTarget): Promise<string | null> {
    try {
      return (await (kind === 'link' ? this.links : this.campaigns).get(organizationId, id)).goalType;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}

function found(
  kind: FunnelTarget['kind'],
  { id, goalType }: { id: number; goalType: string | null },
): FoundTarget {
  return { target: { kind, id }, goalType, clickSessionId: null };
}
