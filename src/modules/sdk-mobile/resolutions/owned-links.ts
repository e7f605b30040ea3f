import { Injectable } from '@nestjs/common';
import type { AppCaller } from '../../../access/caller';
import { Clock } from '../../../common/time/clock';
import { DEFAULT_DOMAIN } from '../../tracked-links/code-domains';
import type { CodeDomain } from '../../domains/code-domain';
import { isCode, isWord } from '../../domains/codes';
import { DomainsService } from '../../domains/domains.service';
import { isHidden } from '../../tracked-links/tracked-link-life';
import {
  type CachedTrackedLink,
  CampaignCache,
  LinkCache,
  underAppPath,
} from '../../tracked-links/tracked-link-cache';

/** The links and campaigns that an app may resolve: its organization's, except those that only refer to other apps. */
@Injectable()
export class OwnedLinks {
  constructor(
    private readonly links: LinkCache,
    private readonly campaigns: CampaignCache,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
  ) {}

  /** The link with that code, if it has started, on the default domain or else a custom one; it may have expired. */
  link(app: AppCaller, code: string, appPath: string | null): Promise<CachedTrackedLink | null> {
    return this.find(app, code, appPath, (domain) => this.links.find(domain, code));
  }

  /** The campaign with that alias, looked up as `link` does. */
  campaign(app: AppCaller, alias: string, appPath: string | null = null): Promise<CachedTrackedLink | null> {
    return this.find(app, alias, appPath, (domain) => this.campaigns.find(domain, alias));
  }

  private async find<T extends CachedTrackedLink>(
    app: AppCaller,
    word: string,
    appPath: string | null,
    findOn: (domain: CodeDomain) => Promise<T | null>,
  ): Promise<T | null> {
    if (!isCode(word) || (appPath !== null && !isWord(appPath))) return null;
    const now = this.clock.now();
    const onDefault = underAppPath(await findOn(DEFAULT_DOMAIN), appPath);
    if (onDefault && mayFollow(app, onDefault, now)) return onDefault;
    for (const domain of await this.domains.usable(app.organizationId)) {
      const trackedLink = underAppPath(await findOn(domain), appPath);
      if (trackedLink && mayFollow(app, trackedLink, now)) return trackedLink;
    }
    return null;
  }
}

type Tied = Pick<
  CachedTrackedLink,
  'organizationId' | 'disabled' | 'enabled' | 'startsAt' | 'iosAppId' | 'androidAppId'
>;

function mayFollow(
  app: Pick<AppCaller, 'organizationId' | 'appId'>,
  trackedLink: Tied,
  now: number,
): boolean {
  const { organizationId, iosAppId, androidAppId } = trackedLink;
  if (organizationId !== app.organizationId || trackedLink.disabled) return false;
  if (isHidden(trackedLink, now)) return false;
  const tiedToNone = iosAppId === null && androidAppId === null;
  return tiedToNone || iosAppId === app.appId || androidAppId === app.appId;
}

/** @param now milliseconds since the epoch */
export function isOver({ expiresAt }: Pick<CachedTrackedLink, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
