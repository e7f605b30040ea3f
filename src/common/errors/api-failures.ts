import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from './error-codes';
import { ErrorResponse } from './error-response.dto';

const MEANINGS = {
  400: 'Invalid request: VALIDATION_FAILED',
  404: 'Not found, or owned by another organization: NOT_FOUND',
  429: 'Too many requests: RATE_LIMITED',
};

/** OpenAPI extension that carries an endpoint's codes to `src/openapi-answers.ts`. */
export const FAILURE_CODES = 'x-failure-codes';

/**
 * Documents the errors of an endpoint besides those of `@Access`: a status with a single meaning, or a code:
 * `@ApiFailures(400, 404, 'ALIAS_TAKEN')`.
 */
export function ApiFailures(
  ...failures: (keyof typeof MEANINGS | ErrorCode)[]
): MethodDecorator & ClassDecorator {
  const codes = failures.filter((failure) => typeof failure === 'string');
  return applyDecorators(
    ...failures
      .filter((failure) => typeof failure === 'number')
      .map((status) => ApiResponse({ status, description: MEANINGS[status], type: ErrorResponse })),
    ...(codes.length > 0 ? [ApiExtension(FAILURE_CODES, codes)] : []),
  );
}
