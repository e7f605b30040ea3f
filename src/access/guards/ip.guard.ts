import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { inRanges } from '../cidr';
import { serviceCall } from './checked-request';
import { DomainError } from '../../common/errors/domain-error';

/**
 * Fourth guard: the address must be on the allow-list, if there is one. Routes of contacts require a list
 * (docs/concepts/access.md#ip-allow-list).
 */
@Injectable()
export class IpGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = serviceCall(context);
    if (!call) return true;
    const { allowList } = call.snapshot;
    if (allowList.length === 0 && !call.rule.allowListedIpOnly) return true;
    if (!inRanges(call.request.requester?.ip ?? '', allowList)) throw new DomainError('IP_NOT_ALLOWED');
    return true;
  }
}
