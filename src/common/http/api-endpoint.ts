import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse, type ApiResponseNoStatusOptions } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-codes';

type SuccessResponse = ApiResponseNoStatusOptions & {
  /** Default: 200 with a body, 204 without. */
  status?: 200 | 201 | 202 | 302;
  description: string;
};

interface Endpoint {
  /** Unique in the API, because generated clients name their methods after it. */
  operationId: string;
  summary: string;
  description: string;
  response: SuccessResponse;
  /** Errors besides those implied by `@Access`, the path and the input. */
  errors?: readonly ErrorCode[];
}

/** OpenAPI extension with an endpoint's error codes, which `src/openapi/errors.ts` replaces. */
export const ENDPOINT_ERRORS = 'x-endpoint-errors';

/**
 * Documents an endpoint and sets its success status. VALIDATION_FAILED is added if there is input, and NOT_FOUND if the
 * path contains an id.
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
