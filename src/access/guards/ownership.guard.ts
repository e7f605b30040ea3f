import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import type { ConsoleRequester } from '../console/console-tokens';
import { activeAddOns, OrganizationCache } from '../organizations/organization-cache';
import { checkedRequest } from './checked-request';

/** Last guard: on console routes, the token must be valid for the organization in the path. */
@Injectable()
export class OwnershipGuard implements CanActivate {
  constructor(
    private readonly organizations: OrganizationCache,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = checkedRequest(context);
    const { orgId } = request.params;
    if (request.rule?.key !== 'console' || typeof orgId !== 'string') return true;
    const organizationId = /^\d{1,16}$/.test(orgId) ? Number(orgId) : 0;
    if (organizationId < 1 || !Number.isSafeInteger(organizationId)) {
      throw ValidationFailed.field('orgId', 'must be the id of an organization');
    }
    const requester = request.requester as ConsoleRequester;
    const foreign = requester.ownOrganizationId !== null && requester.ownOrganizationId !== organizationId;
    const snapshot = foreign ? null : await this.organizations.get(organizationId);
    if (!snapshot) throw new NotFound('Organization');
    const addOns = activeAddOns(snapshot, this.clock.now());
    request.caller = { ...requester, organizationId, organization: snapshot.organization, addOns };
    return true;
  }
}
