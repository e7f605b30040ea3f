import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config';
import { CONFIG } from '../../config/config.module';
import { AppsService } from '../apps/cache/app-lookup.service';
import { DomainsService } from '../domains/domains.service';
import { DEFAULT_DOMAIN, type TargetEntity } from './tracked-link.entity';

type Placed = Pick<TargetEntity, 'domainId' | 'iosAppId' | 'androidAppId'>;

/** What an address is made of, beside code or alias. */
export interface TargetPlace {
  /** Origin of the default short domain. */
  shortUrlBase: string;
  /** Null on the default domain. */
  domainName: string | null;
  /** Namespace of the linked app; null without one. */
  appPath: string | null;
}

/** Finds what the addresses of links and campaigns are made of: names of domains, namespaces of apps. */
@Injectable()
export class TargetPlaces {
  constructor(
    private readonly apps: AppsService,
    private readonly domains: DomainsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async find(target: Placed & Pick<TargetEntity, 'organizationId'>): Promise<TargetPlace> {
    return (await this.findMany(target.organizationId, [target]))(target);
  }

  /** The place of each of these, all of one organization. */
  async findMany(
    organizationId: number,
    targets: readonly Placed[],
  ): Promise<(target: Placed) => TargetPlace> {
    const domainIds = targets.map((target) => target.domainId).filter((id) => id !== DEFAULT_DOMAIN);
    const appIds = targets.map(appOf).filter((id) => id !== null);
    const [names, paths] = await Promise.all([
      this.domains.namesOf(organizationId, domainIds),
      this.apps.pathsOf(organizationId, appIds),
    ]);
    return (target) => ({
      shortUrlBase: this.config.shortUrlBase,
      domainName: names.get(target.domainId) ?? null,
      appPath: paths.get(appOf(target) ?? 0) ?? null,
    });
  }
}

/** The app whose namespace it is in: the iOS app, else the Android app (4-decisions §5). */
function appOf(target: Placed): number | null {
  return target.iosAppId ?? target.androidAppId;
}
