import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { covers, scopeOf } from '../scopes';
import { checkedRequest } from './checked-request';
import { DomainError } from '../../common/errors/domain-error';

/**
 * Sixth guard: an API key must have the scope of the route (docs/concepts/access.md#scopes). Other callers have a role
 * instead.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule, caller, method } = checkedRequest(context);
    if (rule?.key !== 'service') return true;
    const scope = scopeOf(rule.scope, method);
    if (!covers(caller?.scopes, scope))
      throw new DomainError('SCOPE_REQUIRED', `The API key lacks the scope ${scope}`, {
        error: 'SCOPE_REQUIRED',
        scope,
      });
    return true;
  }
}
