import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { FeatureNotAvailable } from '../access.errors';
import { inRanges } from '../cidr';
import { serviceCall } from './checked-request';

/**
 * Third guard: the plan must include the Service API, and the address must be on the allow-list, if there is one. Routes
 * of contacts require a list (docs/concepts/access.md#plans, #ip-allow-list).
 */
@Injectable()
export class ServiceGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = serviceCall(context);
    if (!call) return true;
    const { allowList, apiAccess } = call.snapshot;
    if (!apiAccess) throw new FeatureNotAvailable('API_ACCESS');
    if (allowList.length === 0 && !call.rule.allowListedIpOnly) return true;
    if (!inRanges(call.request.requester?.ip ?? '', allowList)) throw new DomainError('IP_NOT_ALLOWED');
    return true;
  }
}
