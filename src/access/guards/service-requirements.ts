import { Injectable } from '@nestjs/common';
import { FeatureNotAvailable } from '../access.errors';
import type { Caller } from '../caller';
import { OrganizationCache } from '../organizations/organization-cache';
import { inRanges } from '../cidr';
import { DomainError } from '../../common/errors/domain-error';

/** Checks the requirements of contacts for routes to which they apply depending on the request. */
@Injectable()
export class ServiceRequirements {
  constructor(private readonly organizations: OrganizationCache) {}

  /** @throws IP_NOT_ALLOWED, FeatureNotAvailable, as the guards do */
  async checkContacts({ organizationId, addOns, ip, actor }: Caller): Promise<void> {
    const snapshot = await this.organizations.get(organizationId);
    const hasKey = actor.type === 'API_KEY';
    if (hasKey && !inRanges(ip, snapshot?.allowList ?? [])) throw new DomainError('IP_NOT_ALLOWED');
    if (!addOns.has('MESSAGING')) throw new FeatureNotAvailable('MESSAGING');
  }
}
