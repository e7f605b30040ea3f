import { applyDecorators } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from './error-codes';
import { ErrorResponse } from './error-response.dto';

const MEANINGS = {
  400: 'Invalid request: VALIDATION_FAILED',
  404: 'Not found, or of another organization: NOT_FOUND',
  429: 'Too many requests: RATE_LIMITED',
};

/** Carries the codes of an endpoint to `src/openapi-answers.ts`, which puts them in their places. */
export const FAILURE_CODES = 'x-failure-codes';

/**
 * Documents the errors that an endpoint answers besides those of `@Access`: a status that has one meaning everywhere, or
 * a code: `@ApiFailures(400, 404, 'ALIAS_TAKEN')`.
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
