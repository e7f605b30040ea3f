import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule } from '../access.decorator';
import { PermissionDenied } from '../access.errors';
import { ServiceKeys } from '../api-keys/service-keys';
import { normalizeIp } from '../client-ip';
import { ConsoleTokens } from '../console/console-tokens';
import { checkedRequest } from './checked-request';

/** First: who is asking? */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly serviceKeys: ServiceKeys,
    private readonly consoleTokens: ConsoleTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = checkedRequest(context);
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    request.rule = rule;
    switch (rule?.key) {
      case 'service': {
        const found = await this.serviceKeys.authenticate(request.get('x-api-key'), normalizeIp(request.ip));
        request.requester = request.caller = found.caller;
        request.snapshot = found.snapshot;
        return true;
      }
      case 'console':
        request.requester = await this.consoleTokens.authenticate(
          request.get('authorization'),
          normalizeIp(request.ip),
        );
        return true;
      case 'none':
        return true;
      default:
        // The start fails on such a route; this is for the case that the check is ever bypassed.
        throw new PermissionDenied('none', 'This route does not say who may call it');
    }
  }
}
