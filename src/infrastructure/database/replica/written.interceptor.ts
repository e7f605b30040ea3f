import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { type ApiRequest, routeOf } from '../../../common/http/api-request';
import { Database } from '../database';

/** APIs whose callers read lists; those of devices do not. */
const APIS = ['/api/v1/service/', '/api/v1/console/organizations/'];

/**
 * Makes what a request has written visible to the organization's reads, in every process, before the response is sent.
 */
@Injectable()
export class WrittenInterceptor implements NestInterceptor {
  constructor(private readonly database: Database) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller, method } = request;
    if (!this.database.replica || !caller || method === 'GET' || method === 'HEAD') return next.handle();
    if (!APIS.some((prefix) => routeOf(request)?.startsWith(prefix))) return next.handle();
    return from(this.answer(next, caller.organizationId));
  }

  private async answer(next: CallHandler, organizationId: number): Promise<unknown> {
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } finally {
      // Also on errors: an import that failed may have created links.
      await this.database.wrote(organizationId);
    }
  }
}
