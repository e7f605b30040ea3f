import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  NotFoundException,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { type ApiRequest, routeOf } from '../../common/http/api-request';
import { ErrorFilter } from '../../common/http/error.filter';
import { MethodNotAllowed } from '../../common/errors/errors';
import { Access, CROSS_PLATFORM_API, Public } from '../access.decorator';
import { RateLimited } from '../access.errors';
import { KeyGuard } from './key.guard';
import { RateGuard } from './rate.guard';
import { ServiceGuard } from './service.guard';

/** Access rules by which requests of unknown routes are counted, by API. */
class CountedApis {
  @Access({ key: 'service', scope: 'links' })
  service(): void {}

  @Access({ key: 'app', publishable: 'yes' })
  app(): void {}

  @Public('no route', { rate: 'web' })
  web(): void {}
}

/** A layer of Express's router; middleware has no `route`. */
interface RouteLayer {
  route?: { stack: { method: string }[] };
  match(path: string): boolean;
}

const APIS: readonly [prefix: string, api: keyof CountedApis][] = [
  ['/api/v1/service/', 'service'],
  ['/api/v1/sdk/mobile/', 'app'],
  ['/api/v1/sdk/web/', 'web'],
  [CROSS_PLATFORM_API, 'app'],
];

/**
 * Answers requests without a route: 405 if the path supports other methods, else 404. With a valid key, the request
 * counts against the rate limit of its API.
 */
@Catch(NotFoundException)
export class UnknownRouteFilter implements ExceptionFilter<NotFoundException> {
  private readonly checks: readonly CanActivate[];

  constructor(
    private readonly errors: ErrorFilter,
    private readonly adapter: HttpAdapterHost,
    key: KeyGuard,
    service: ServiceGuard,
    rate: RateGuard,
  ) {
    this.checks = [key, service, rate];
  }

  catch(error: NotFoundException, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ApiRequest>();
    if (routeOf(request) !== undefined) {
      this.errors.catch(error, host);
      return;
    }
    const methods = this.methodsOf(request.path);
    const answer = methods.length > 0 ? new MethodNotAllowed(request.method, methods) : error;
    this.count(request, host).then(
      () => this.errors.catch(answer, host),
      (refusal: unknown) => this.errors.catch(refusal instanceof RateLimited ? refusal : answer, host),
    );
  }

  /** @throws RateLimited, and errors of the key guard */
  private async count({ path }: ApiRequest, host: ArgumentsHost): Promise<void> {
    const [, api] = APIS.find(([prefix]) => path.startsWith(prefix)) ?? [];
    if (!api) return;
    const { [api]: handler } = CountedApis.prototype;
    const context = new ExecutionContextHost([...host.getArgs<unknown[]>()], CountedApis, handler);
    for (const check of this.checks) await check.canActivate(context);
  }

  private methodsOf(path: string): string[] {
    const { router } = this.adapter.httpAdapter.getInstance<{ router: { stack: RouteLayer[] } }>();
    const methods = new Set<string>();
    for (const layer of router.stack) {
      if (!layer.route || !layer.match(path)) continue;
      for (const { method } of layer.route.stack) methods.add(method.toUpperCase());
    }
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods];
  }
}
