import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorResponse } from '../../../common/errors/error-response.dto';

/** Documents the answers of an endpoint that asks for the password of a link. */
export function LinkPasswordFailures(): MethodDecorator {
  return applyDecorators(
    ApiResponse({
      status: 403,
      type: ErrorResponse,
      description:
        'The link has a password: LINK_PASSWORD_REQUIRED without one, LINK_PASSWORD_WRONG for another. Ten wrong ones ' +
        'from one network in ten minutes are 429 RATE_LIMITED, as on the password page',
    }),
  );
}
