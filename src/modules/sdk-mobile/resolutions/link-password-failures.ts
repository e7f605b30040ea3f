import { ApiResponse } from '@nestjs/swagger';
import { ErrorResponse } from '../../../common/http/error-response.dto';

/** Documents the error responses of an endpoint that takes the password of a link or campaign. */
export function LinkPasswordFailures(): MethodDecorator {
  return ApiResponse({
    status: 403,
    type: ErrorResponse,
    description:
      'It has a password: LINK_PASSWORD_REQUIRED when it is missing, LINK_PASSWORD_WRONG when it is wrong. After ' +
      'ten wrong passwords from one network in ten minutes, 429 RATE_LIMITED, as on the password page',
  });
}
