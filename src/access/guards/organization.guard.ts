import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { NotFound, ValidationFailed } from '../../common/errors/errors';
import { Clock } from '../../common/time/clock';
import type { ConsoleRequester } from '../console/console-tokens';
import { activeAddOns, OrganizationCache } from '../organizations/organization-cache';
import { checkedRequest } from './checked-request';

/** Second guard: on console routes, the caller must be the platform or belong to the organization in the path. */
@Injectable()
export class OrganizationGuard implements CanActivate {
  constructor(
    private readonly organizations: OrganizationCache,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = checkedRequest(context);
    const { organizationId: id } = request.params;
    if (request.rule?.key !== 'console' || typeof id !== 'string') return true;
    const organizationId = /^\d{1,16}$/.test(id) ? Number(id) : 0;
    if (organizationId < 1 || !Number.isSafeInteger(organizationId)) {
      throw ValidationFailed.field('organizationId', 'must be the id of an organization');
    }
    const requester = request.requester as ConsoleRequester;
    const foreign = requester.ownOrganizationId !== null && requester.ownOrganizationId !== organizationId;
    const snapshot = foreign ? null : await this.organizations.get(organizationId);
    if (!snapshot) throw new NotFound('Organization');
    const addOns = activeAddOns(snapshot, this.clock.now());
    request.snapshot = snapshot;
    request.caller = { ...requester, organizationId, organization: snapshot.organization, addOns };
    return true;
  }
}
