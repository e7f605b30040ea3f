import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { roleOf } from '../access.decorator';
import { PermissionDenied } from '../access.errors';
import { assertRole } from '../administration';
import { checkedRequest } from './checked-request';

/** Last guard: the console user, or the API key's user, must have the role and the permission. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule, requester, method } = checkedRequest(context);
    if (!requester || (rule?.key !== 'service' && rule?.key !== 'console')) return true;
    if (rule.key === 'service') assertRole(requester, roleOf(rule, method));
    else if (!rule.orSelf) assertRole(requester, rule.role);
    if (rule.permission && !requester.permissions.has(rule.permission)) {
      throw new PermissionDenied(rule.permission);
    }
    return true;
  }
}
