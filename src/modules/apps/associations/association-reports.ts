import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { Config } from '../../../config/config';
import { DomainPresenter } from '../../domains/domain-presenter';
import type { App, Platform } from '../app.entity';
import { AppsRepository } from '../apps.repository';
import { AppAssociations, ASSOCIATION_PATHS, type AssociationFiles } from './app-associations';
import type { AppAssociationsResponse, AssociationFileResponse } from './app-associations.dto';
import { isInAppleFile, isInAssetLinks } from './association-files';
import { problemsOf } from './association-problems';
import { cut } from '../../../common/sanitize-text';

/** Custom domains in a report, the first by name. */
const MAX_DOMAINS = 100;
const MAX_CONTENT = 65_536;

interface Host {
  readonly origin: string;
  readonly customDomainId: number | null;
  /** Whether requests to the host reach this service. */
  readonly active: boolean;
  readonly files: AssociationFiles;
}

/** The platform that reads each file, and how to find an app in it. */
const READERS: readonly {
  file: keyof AssociationFiles;
  platform: Platform;
  includes: (content: string, app: App) => boolean;
}[] = [
  { file: 'appleAppSiteAssociation', platform: 'iOS', includes: isInAppleFile },
  { file: 'assetLinks', platform: 'Android', includes: isInAssetLinks },
];

/** Reports which association files contain an app, for every host of its organization. */
@Injectable()
export class AssociationReports {
  constructor(
    private readonly apps: AppsRepository,
    private readonly domains: DomainPresenter,
    private readonly associations: AppAssociations,
    private readonly config: Config,
  ) {}

  /** @throws NotFound */
  async of(caller: Caller, id: number): Promise<AppAssociationsResponse> {
    const app = await this.apps.get(caller.organizationId, id);
    const hosts = await this.hosts(caller);
    return {
      hosts: hosts.map(({ origin, customDomainId, active, files }) => ({
        host: new URL(origin).host,
        customDomainId,
        files: READERS.map(({ file, platform, includes }) => {
          const content = files[file];
          const served = {
            url: `${origin}${ASSOCIATION_PATHS[file]}`,
            content: cut(content, MAX_CONTENT),
            size: Buffer.byteLength(content),
          };
          if (app.platform !== platform) return { ...served, includesApp: null, problems: [] };
          const includesApp = includes(content, app);
          const seen = { ...served, active, shared: customDomainId === null, includesApp };
          return { ...served, includesApp, problems: problemsOf(app, seen) };
        }) satisfies AssociationFileResponse[],
      })),
    };
  }

  /** The default host, followed by the custom domains that serve links. */
  private async hosts(caller: Caller): Promise<Host[]> {
    const [domains, shared, own] = await Promise.all([
      this.domains.verified(caller),
      this.associations.of(null),
      this.associations.of(caller.organizationId),
    ]);
    return [
      { origin: new URL(this.config.shortUrlBase).origin, customDomainId: null, active: true, files: shared },
      ...domains.slice(0, MAX_DOMAINS).map(({ id, domainName, status }) => ({
        origin: `https://${domainName}`,
        customDomainId: id,
        active: status === 'ACTIVE',
        files: own,
      })),
    ];
  }
}
