import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ScopeRequired } from '../access.errors';
import { covers } from '../scopes';
import { checkedRequest } from './checked-request';

/**
 * Fifth guard: the API key must have the scope of the route (docs/concepts/access.md#scopes). Callers without
 * a key have no scopes, but a role.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule, caller } = checkedRequest(context);
    const scope = rule?.key === 'service' ? rule.scope : undefined;
    if (scope && caller?.scopes && !covers(caller.scopes, scope)) throw new ScopeRequired(scope);
    return true;
  }
}
