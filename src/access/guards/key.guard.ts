import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { routeOf } from '../../common/http/api-request';
import { ACCESS_RULE, type AccessRule, consoleRuleOf, CROSS_PLATFORM_API } from '../access.decorator';
import { AppHeaderError, PermissionDenied } from '../access.errors';
import { ServiceKeys } from '../api-keys/service-keys';
import { AppHeaders } from '../app-keys/app-headers';
import { normalizeIp } from '../client-ip';
import { CONSOLE_API } from '../service-controller';
import { ConsoleTokens } from '../console/console-tokens';
import { type CheckedRequest, checkedRequest } from './checked-request';

/** First guard: authenticates the caller. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly serviceKeys: ServiceKeys,
    private readonly appHeaders: AppHeaders,
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
        if (routeOf(request)?.startsWith(CONSOLE_API)) {
          request.rule = consoleRuleOf(rule, request.method);
          return this.authenticateUser(request);
        }
        const found = await this.serviceKeys.authenticate(request.get('x-api-key'), normalizeIp(request.ip));
        request.requester = request.caller = found.caller;
        request.snapshot = found.snapshot;
        return true;
      }
      case 'app': {
        const found = await this.authenticateApp(request);
        request.requester = request.caller = request.appCaller = found.caller;
        request.keyedApp = found.app;
        request.snapshot = found.snapshot;
        return true;
      }
      case 'console':
        return this.authenticateUser(request);
      case 'none':
        return true;
      default:
        throw new PermissionDenied('none', 'This route declares no access rule');
    }
  }

  private async authenticateUser(request: CheckedRequest): Promise<true> {
    request.requester = await this.consoleTokens.authenticate(request);
    return true;
  }

  private async authenticateApp(request: CheckedRequest): ReturnType<AppHeaders['authenticate']> {
    try {
      return await this.appHeaders.authenticate(request, normalizeIp(request.ip));
    } catch (error) {
      const ownBody = error instanceof AppHeaderError && routeOf(request)?.startsWith(CROSS_PLATFORM_API);
      throw ownBody ? error.inBodyOfItsOwn() : error;
    }
  }
}
