import { Injectable } from '@nestjs/common';
import { NotFound } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import { DEFAULT_DOMAIN } from '../tracked-links/code-domains';
import type { CodeDomain } from '../domains/code-domain';
import { DomainsService } from '../domains/domains.service';
import { isHidden } from '../tracked-links/tracked-link-life';
import { type CachedTrackedLink, LinkCache, underAppPath } from '../tracked-links/tracked-link-cache';

/** Finds an organization's links by code, on any of its domains. */
@Injectable()
export class OrganizationLinks {
  constructor(
    private readonly links: LinkCache,
    private readonly domains: DomainsService,
    private readonly clock: Clock,
  ) {}

  /**
   * The link with this code, if it is enabled and has started: on the default domain, or else on the oldest custom
   * domain with one.
   * @param path a code, or `<app path>/<code>`
   * @throws NotFound
   */
  async get(organizationId: number, path: string): Promise<CachedTrackedLink> {
    const [code = '', appPath = null] = path.split('/').reverse();
    if (path.split('/').length > 2) throw new NotFound('Link');
    const find = async (domain: CodeDomain) => underAppPath(await this.links.find(domain, code), appPath);
    const now = this.clock.now();
    const onDefault = await find(DEFAULT_DOMAIN);
    if (isOf(organizationId, onDefault, now)) return onDefault;
    for (const domain of await this.domains.usable(organizationId)) {
      const link = await find(domain);
      if (isOf(organizationId, link, now)) return link;
    }
    throw new NotFound('Link');
  }
}

function isOf(
  organizationId: number,
  link: CachedTrackedLink | null,
  now: number,
): link is CachedTrackedLink {
  return link?.organizationId === organizationId && !link.disabled && !isHidden(link, now);
}
