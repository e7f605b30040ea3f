import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ErrorResponse } from './error-response.dto';

const MEANINGS = {
  400: 'Invalid request: VALIDATION_FAILED, MALFORMED_JSON',
  401: 'Not authenticated',
  404: 'Not found, or of another organization: NOT_FOUND',
  409: 'Conflict with what is there',
  429: 'Too many requests: RATE_LIMITED',
};

/** Documents the errors that an endpoint answers besides those of `@Access`. */
export function ApiFailures(...statuses: (keyof typeof MEANINGS)[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...statuses.map((status) => ApiResponse({ status, description: MEANINGS[status], type: ErrorResponse })),
  );
}
