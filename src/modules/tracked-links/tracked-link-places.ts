import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config';
import { AppLookup } from '../apps/cache/app-lookup.service';
import { DomainsService } from '../domains/domains.service';
import { DEFAULT_DOMAIN_ID, type TrackedLinkEntity } from './tracked-link.entity';

type Placed = Pick<TrackedLinkEntity, 'domainId' | 'iosAppId' | 'androidAppId'>;

/** The parts of a URL other than code or alias. */
export interface TrackedLinkPlace {
  /** Origin of the default short domain. */
  shortUrlBase: string;
  /** Null on the default domain. */
  domainName: string | null;
  /** Namespace of the linked app; null without a linked app. */
  appPath: string | null;
}

/** Looks up domain names and app namespaces for the URLs of links and campaigns. */
@Injectable()
export class TrackedLinkPlaces {
  constructor(
    private readonly apps: AppLookup,
    private readonly domains: DomainsService,
    private readonly config: Config,
  ) {}

  async find(trackedLink: Placed & Pick<TrackedLinkEntity, 'organizationId'>): Promise<TrackedLinkPlace> {
    return (await this.findMany(trackedLink.organizationId, [trackedLink]))(trackedLink);
  }

  /**
   * @param trackedLinks of one organization
   * @returns a look-up function for these
   */
  async findMany(
    organizationId: number,
    trackedLinks: readonly Placed[],
  ): Promise<(trackedLink: Placed) => TrackedLinkPlace> {
    const domainIds = trackedLinks
      .map((trackedLink) => trackedLink.domainId)
      .filter((id) => id !== DEFAULT_DOMAIN_ID);
    const appIds = trackedLinks.map(appOf).filter((id) => id !== null);
    const [names, paths] = await Promise.all([
      this.domains.namesOf(organizationId, domainIds),
      this.apps.pathsOf(organizationId, appIds),
    ]);
    return (trackedLink) => ({
      shortUrlBase: this.config.shortUrlBase,
      domainName: names.get(trackedLink.domainId) ?? null,
      appPath: paths.get(appOf(trackedLink) ?? 0) ?? null,
    });
  }
}

/** The app whose namespace is in the URL: the iOS app, else the Android app (docs/concepts/links.md#addresses). */
function appOf(trackedLink: Placed): number | null {
  return trackedLink.iosAppId ?? trackedLink.androidAppId;
}
