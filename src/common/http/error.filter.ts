import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { DomainError } from '../errors/domain-error';
import { LOGGER } from '../logging/logger';
import { Clock } from '../time/clock';
import type { ApiRequest } from './api-request';
import { toDomainError } from './to-domain-error';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const response = http.getResponse<Response>();
    const known = toDomainError(error);
    const answer = known ?? internalError(request.id);
    if (answer.status >= 500) {
      const message = known ? 'store failure' : 'unexpected error';
      this.logger[known ? 'warn' : 'error']({ requestId: request.id, err: error }, message);
    }
    if (response.headersSent) {
      // The connection is cut, because a truncated response must not look complete.
      response.destroy();
      return;
    }
    // Replaces a Content-Type set by the handler, such as that of /metrics.
    response
      .status(answer.status)
      .set(answer.headers)
      .set('Content-Type', 'application/json; charset=utf-8')
      .json(answer.toBody(this.clock.date()));
  }
}

/** An internal error without its cause, which is logged under the same request id. */
function internalError(requestId: string): DomainError {
  return new DomainError('INTERNAL_ERROR', undefined, { requestId });
}
