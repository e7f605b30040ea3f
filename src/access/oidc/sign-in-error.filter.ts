import { type ArgumentsHost, Catch, Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { ValidationFailed } from '../../common/errors/errors';
import type { ApiRequest } from '../../common/http/api-request';
import { ErrorFilter } from '../../common/http/error.filter';
import { toDomainError } from '../../common/http/to-domain-error';
import { LOGGER } from '../../common/logging/logger';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import { SignInRefused } from './sign-in-refused';

/** Redirects to the sign-in page, which explains the error to the person. */
@Catch()
@Injectable()
export class SignInErrorFilter extends ErrorFilter {
  constructor(
    // In the order of ErrorFilter, because Nest applies its `@Inject` to the same positions here.
    @Inject(LOGGER) private readonly log: Logger,
    clock: Clock,
    private readonly config: Config,
  ) {
    super(log, clock);
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    // A validation error is the fault of the link's author, not of the person.
    if (error instanceof ValidationFailed) {
      super.catch(error, host);
      return;
    }
    const http = host.switchToHttp();
    const known = error instanceof SignInRefused ? error : toDomainError(error);
    if (!known)
      this.log.error({ requestId: http.getRequest<ApiRequest>().id, err: error }, 'unexpected error');
    const code = known?.code ?? 'INTERNAL_ERROR';
    http.getResponse<Response>().redirect(302, `${this.config.baseUrl}/console/sign-in?error=${code}`);
  }
}
