import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { DEFAULT_DOMAIN } from '../../tracked-links/tracked-link.entity';
import { CampaignDirectory, type CampaignTarget } from '../../campaigns/campaign-cache';
import { DomainsService } from '../../domains/domains.service';
import { LinkDirectory, type LinkTarget } from '../../links/link-cache';
import { underAppPath } from '../../tracked-links/cache/tracked-link-cache';

/** The letters of codes, aliases and app paths: what holds any other can't exist, and is not looked for. */
const WORD = /^[A-Za-z0-9_-]{1,50}$/;

/**
 * The links and campaigns that an app may follow: those of its organization that are tied to it, and those that are
 * tied to no app. What leads into other apps alone is theirs.
 */
@Injectable()
export class OwnTargets {
  constructor(
    private readonly links: LinkDirectory,
    private readonly campaigns: CampaignDirectory,
    private readonly domains: DomainsService,
  ) {}

  /** The live link of that code, on the default domain or else on one of the organization's. Expired ones are found. */
  link(app: AppCaller, code: string, appPath: string | null): Promise<LinkTarget | null> {
    return this.find(app, code, appPath, (domainId) => this.links.find(domainId, code));
  }

  /** The same of a campaign. */
  campaign(app: AppCaller, alias: string, appPath: string | null = null): Promise<CampaignTarget | null> {
    return this.find(app, alias, appPath, (domainId) => this.campaigns.find(domainId, alias));
  }

  private async find<T extends LinkTarget | CampaignTarget>(
    app: AppCaller,
    word: string,
    appPath: string | null,
    findOn: (domainId: number) => Promise<T | null>,
  ): Promise<T | null> {
    if (!WORD.test(word) || (appPath !== null && !WORD.test(appPath))) return null;
    const onDefault = underAppPath(await findOn(DEFAULT_DOMAIN), appPath);
    if (onDefault && mayFollow(app, onDefault)) return onDefault;
    for (const domainId of await this.domains.usableIds(app.organizationId)) {
      const target = underAppPath(await findOn(domainId), appPath);
      if (target && mayFollow(app, target)) return target;
    }
    return null;
  }
}

/** Which apps something leads into, and whose it is. */
type Tied = Pick<LinkTarget, 'organizationId' | 'disabled' | 'iosAppId' | 'androidAppId'>;

function mayFollow(app: Pick<AppCaller, 'organizationId' | 'appId'>, target: Tied): boolean {
  const { organizationId, iosAppId, androidAppId } = target;
  if (organizationId !== app.organizationId || target.disabled) return false;
  const tiedToNone = iosAppId === null && androidAppId === null;
  return tiedToNone || iosAppId === app.appId || androidAppId === app.appId;
}

/** @param now milliseconds since the epoch */
export function isOver({ expiresAt }: Pick<LinkTarget, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
