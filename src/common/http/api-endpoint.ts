import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse, type ApiResponseNoStatusOptions } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes';

type SuccessResponse = ApiResponseNoStatusOptions & {
  /** Default: 200 if it has a body, 204 otherwise. */
  status?: 200 | 201 | 202 | 302;
  description: string;
};

interface Endpoint {
  /** Unique in the API: generated clients name their methods after it. */
  operationId: string;
  summary: string;
  description: string;
  response: SuccessResponse;
  /** Errors besides those that follow from `@Access`, the path and the input. */
  errors?: readonly ErrorCode[];
}

/** OpenAPI extension that carries an endpoint's error codes to `src/openapi/errors.ts`, which removes it. */
export const ENDPOINT_ERRORS = 'x-endpoint-errors';

/**
 * Documents an endpoint and sets its success status. The document adds VALIDATION_FAILED where there is input, and
 * NOT_FOUND where the path names a resource.
 */
export function ApiEndpoint({ response, errors = [], ...operation }: Endpoint): MethodDecorator {
  const hasBody = 'type' in response || 'content' in response;
  const status = response.status ?? (hasBody ? 200 : 204);
  return applyDecorators(
    HttpCode(status),
    ApiOperation(operation),
    ApiResponse({ ...response, status }),
    ...(errors.length > 0 ? [ApiExtension(ENDPOINT_ERRORS, errors)] : []),
  );
}
