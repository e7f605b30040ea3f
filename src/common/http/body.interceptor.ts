import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import type { ApiRequest } from './api-request';
import { bodyRulesOf } from './body-rules';
import { checkStreamed, readBody } from './read-body';

/**
 * Reads the body after the guards and before the pipes, so that a caller without a key is rejected first
 * (docs/concepts/access.md#order-of-checks) and cannot make the service buffer megabytes.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const rules = bodyRulesOf(context);
    if (request.method !== 'GET' && request.method !== 'HEAD' && !rules.readLater) {
      if (rules.streamed !== undefined && request.headers['idempotency-key'] === undefined) {
        checkStreamed(request, rules, rules.streamed);
      } else await readBody(request, http.getResponse<Response>(), rules);
    }
    return next.handle();
  }
}
