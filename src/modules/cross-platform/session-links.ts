import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../access/caller';
import { NotFound } from '../../common/errors/errors';
import { CampaignsRepository } from '../campaigns/campaigns.repository';
import type { TrackedLinkRef } from '../sessions/rollups/funnel-sums';
import { TokenClicks } from '../attribution/tokens/token-clicks';
import { LinksRepository } from '../links/links.repository';
import { OrganizationLinks } from '../links/organization-links';

/** References to a link or campaign in a request, of which the first supplied one counts. */
export interface NamedLink {
  token?: string | null;
  urlId?: number | null;
  campaignId?: number | null;
  shortCode?: string | null;
}

export interface FoundLink {
  trackedLink: TrackedLinkRef;
  goalType: string | null;
  /** Session of the click, if found by token. */
  clickSessionId: string | null;
}

/** Finds the links and campaigns that led to sessions. */
@Injectable()
export class SessionLinks {
  constructor(
    private readonly links: LinksRepository,
    private readonly campaigns: CampaignsRepository,
    private readonly organizationLinks: OrganizationLinks,
    private readonly clicks: TokenClicks,
  ) {}

  /** @returns null if the request names none @throws NotFound if it does not exist */
  async find({ organizationId }: AppCaller, named: NamedLink): Promise<FoundLink | null> {
    const { token, urlId, campaignId, shortCode } = named;
    if (token) {
      const click = await this.clicks.find(organizationId, token);
      if (!click) throw new NotFound('Token');
      const goalType = await this.goalTypeOf(organizationId, click.trackedLink);
      return { trackedLink: click.trackedLink, goalType, clickSessionId: click.sessionId };
    }
    if (urlId) return found('link', await this.links.get(organizationId, urlId));
    if (campaignId) return found('campaign', await this.campaigns.get(organizationId, campaignId));
    if (shortCode) return found('link', await this.organizationLinks.get(organizationId, shortCode));
    return null;
  }

  /** The goal type of a link or campaign; null if it has none or has been deleted. */
  async goalTypeOf(organizationId: number, { kind, id }: TrackedLinkRef): Promise<string | null> {
    try {
      return (await (kind === 'link' ? this.links : this.campaigns).get(organizationId, id)).goalType;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}

function found(
  kind: TrackedLinkRef['kind'],
  { id, goalType }: { id: number; goalType: string | null },
): FoundLink {
  return { trackedLink: { kind, id }, goalType, clickSessionId: null };
}
