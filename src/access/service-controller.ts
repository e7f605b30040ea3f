import { applyDecorators, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

export const SERVICE_API = '/api/v1/service/';
export const CONSOLE_API = '/api/v1/console/';
/** Path prefix of the same operations for console users. */
export const ORGANIZATION_API = `${CONSOLE_API}organizations/{organizationId}/`;

const IN_CONSOLE = ORGANIZATION_API.replace('{organizationId}', ':organizationId');

/**
 * A controller of the Service API, whose operations console users call below `ORGANIZATION_API`
 * (docs/concepts/access.md#the-console-api).
 * @param path without a prefix, such as `urls`
 * @param tag of `src/openapi/tags.ts`
 */
export function ServiceController(path: string, tag: string): ClassDecorator {
  return applyDecorators(Controller([SERVICE_API + path, IN_CONSOLE + path]), ApiTags(tag));
}

/** A controller of the Console API only, below `ORGANIZATION_API`. Same parameters as `ServiceController`. */
export function ConsoleController(path: string, tag: string): ClassDecorator {
  return applyDecorators(Controller(IN_CONSOLE + path), ApiTags(tag));
}
