import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { ApiRequest } from '../../../common/http/api-request';
import { toDomainError } from '../../../common/http/to-domain-error';
import { LOGGER } from '../../../common/logging/logger';
import { UNBRANDED } from '../../pages/brand';
import { messagePage, sendHtml } from '../../pages/html';
import type { MessageName } from '../../pages/texts/texts';
import { OPT_OUT_HEADERS } from './opt-out-page';

/** Renders errors of opt-out links as pages, because their readers are people. */
@Catch()
export class OptOutErrors implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const known = toDomainError(error);
    const status = known?.status ?? 500;
    if (status >= 500) {
      const { id: requestId } = http.getRequest<ApiRequest>();
      this.logger[known ? 'warn' : 'error']({ requestId, err: error }, 'Answering an opt-out link failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const headers = { ...OPT_OUT_HEADERS, ...known?.headers };
    sendHtml(response, messagePage(status, messageOf(status), headers), UNBRANDED);
  }
}

function messageOf(status: number): MessageName {
  if (status >= 500) return 'unavailable';
  if (status === 429) return 'tooManyRequests';
  return status === 404 ? 'notFound' : 'badRequest';
}
