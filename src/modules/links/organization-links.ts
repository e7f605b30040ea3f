import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { DEFAULT_DOMAIN } from '../../common/target.entity';
import { DomainsService } from '../domains/domains.service';
import { LinkDirectory, type LinkTarget } from './link-directory';

/** Links by their codes, whichever of the organization's domains they are on. */
@Injectable()
export class OrganizationLinks {
  constructor(
    private readonly links: LinkDirectory,
    private readonly domains: DomainsService,
  ) {}

  /** The one on the default domain, else on the oldest of its own. @throws NotFound */
  async get(organizationId: number, code: string): Promise<LinkTarget> {
    const onDefault = await this.links.find(DEFAULT_DOMAIN, code);
    if (onDefault?.organizationId === organizationId) return onDefault;
    for (const domainId of await this.domains.usableIds(organizationId)) {
      const link = await this.links.find(domainId, code);
      if (link?.organizationId === organizationId) return link;
    }
    throw new NotFound('Link');
  }
}
