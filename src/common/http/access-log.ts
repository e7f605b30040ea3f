import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import { type ApiRequest, routeOf } from './api-request';

/** Probes and scrapes, which are frequent and say nothing beyond the metrics. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * Logs a line per finished request, with the route's pattern instead of the URL: paths, queries, headers and bodies may
 * contain keys, phone numbers and addresses.
 */
export function accessLog(logger: Logger) {
  return (request: ApiRequest, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.on('close', () => {
      const route = routeOf(request);
      const facts = {
        requestId: request.id,
        method: request.method,
        ...(route === undefined ? { path: withoutData(request.path) } : { route }),
        status: response.statusCode,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(request.caller && { organizationId: request.caller.organizationId }),
        ...(request.caller?.key && { appKey: request.caller.key }),
      };
      const level = QUIET.test(request.path) ? 'debug' : 'info';
      logger[level](facts, response.writableFinished ? 'request' : 'request aborted');
    });
    next();
  };
}

/** Path segments of known routes, which are safe to log and show why a request matched no route. */
const KNOWN = new Set(
  'api v1 service console sdk mobile web cross-platform messaging contacts groups unsubscribes urls campaigns'.split(
    ' ',
  ),
);

/** The path of an unknown route; segments that may be personal data or a key are masked. */
function withoutData(path: string): string {
  const parts = path.slice(0, 200).split('/');
  return parts.map((part) => (part === '' || KNOWN.has(part) ? part : '*')).join('/');
}
