import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { AppsService } from '../apps/apps.service';
import { DomainsService } from '../domains/domains.service';
import { DEFAULT_DOMAIN, type Link } from './link.entity';
import type { LinkPlace } from './link-address';

type Placed = Pick<Link, 'domainId' | 'iosAppId' | 'androidAppId'>;

/** Finds what the addresses of links are made of: names of domains, namespaces of apps. */
@Injectable()
export class LinkPlaces {
  constructor(
    private readonly apps: AppsService,
    private readonly domains: DomainsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async find(link: Placed & Pick<Link, 'organizationId'>): Promise<LinkPlace> {
    return (await this.findMany(link.organizationId, [link]))(link);
  }

  /** The place of each of these links, all of one organization. */
  async findMany(organizationId: number, links: readonly Placed[]): Promise<(link: Placed) => LinkPlace> {
    const domainIds = links.map((link) => link.domainId).filter((id) => id !== DEFAULT_DOMAIN);
    const appIds = links.map(appOf).filter((id) => id !== null);
    const [names, paths] = await Promise.all([
      this.domains.namesOf(organizationId, domainIds),
      this.apps.pathsOf(organizationId, appIds),
    ]);
    return (link) => ({
      shortUrlBase: this.config.shortUrlBase,
      domainName: names.get(link.domainId) ?? null,
      appPath: paths.get(appOf(link) ?? 0) ?? null,
    });
  }
}

/** The app whose namespace the link is in: the iOS app, else the Android app (4-decisions §5). */
function appOf(link: Placed): number | null {
  return link.iosAppId ?? link.androidAppId;
}
