import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { PermissionDenied } from '../access.errors';
import { assertAdministrator } from '../administration';
import { checkedRequest } from './checked-request';

/** Seventh guard: the user, or the key's user, must have the permission. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule, requester } = checkedRequest(context);
    if (!requester || (rule?.key !== 'service' && rule?.key !== 'console')) return true;
    if (rule.permission && !requester.permissions.has(rule.permission)) {
      throw new PermissionDenied(rule.permission);
    }
    if (rule.key === 'console' && rule.only === 'platform' && requester.actor.type !== 'PLATFORM') {
      throw new PermissionDenied('platform', 'Only the platform token may do this');
    }
    if (rule.key === 'console' && rule.only === 'administrator') assertAdministrator(requester);
    return true;
  }
}
