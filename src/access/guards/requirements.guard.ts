import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error';
import { roleOf } from '../access.decorator';
import { AddOnRequired, FeatureNotAvailable, PermissionDenied } from '../access.errors';
import { assertRole } from '../administration';
import { covers, scopeOf } from '../scopes';
import { checkedRequest } from './checked-request';

/**
 * Last guard: what a route requires of its caller. An API key must have the scope (docs/concepts/access.md#scopes); the
 * add-on must be active; the console user, or the API key's user, must have the role and the permission.
 */
@Injectable()
export class RequirementsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule, caller, requester, method } = checkedRequest(context);
    if (!rule || rule.key === 'none') return true;
    if (rule.key === 'service') {
      const scope = scopeOf(rule.scope, method);
      const message = `The API key lacks the scope ${scope}`;
      if (!covers(caller?.scopes, scope)) {
        throw new DomainError('SCOPE_REQUIRED', message, { error: 'SCOPE_REQUIRED', scope });
      }
    }
    const { addOn } = rule;
    if (addOn && !caller?.addOns.has(addOn)) {
      // MESSAGING is a feature of the plan (docs/concepts/access.md#add-ons).
      throw addOn === 'MESSAGING' ? new FeatureNotAvailable(addOn) : new AddOnRequired(addOn);
    }
    if (rule.key === 'app' || !requester) return true;
    if (rule.key === 'service') assertRole(requester, roleOf(rule, method));
    else if (!rule.orSelf) assertRole(requester, rule.role);
    if (rule.permission && !requester.permissions.has(rule.permission)) {
      throw new PermissionDenied(rule.permission);
    }
    return true;
  }
}
