import { applyDecorators, Controller } from '@nestjs/common';

export const SERVICE_API = '/api/v1/service/';
export const CONSOLE_API = '/api/v1/console/';
/** Path prefix of the same operations for console users. */
export const ORGANIZATION_API = `${CONSOLE_API}organizations/{organizationId}/`;

/**
 * A controller of the Service API, whose operations console users call below `ORGANIZATION_API`
 * (docs/concepts/access.md#the-console-api).
 * @param path without a prefix, such as `urls`
 */
export function ServiceController(path: string): ClassDecorator {
  const inConsole = ORGANIZATION_API.replace('{organizationId}', ':organizationId');
  return applyDecorators(Controller([SERVICE_API + path, inConsole + path]));
}
