import type { NextFunction, Response } from 'express';
import type { Logger } from 'pino';
import { type ApiRequest, routeOf } from './api-request';

/** Probes and scrapes come every few seconds, and say nothing that metrics don't. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line a request, when it is over. It names the route's pattern, not the address: paths, queries, headers and
 * bodies may hold keys, phone numbers and addresses.
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
      };
      const level = QUIET.test(request.path) ? 'debug' : 'info';
      logger[level](facts, response.writableFinished ? 'request' : 'request aborted');
    });
    next();
  };
}

/** Words of the addresses of routes, for those who look for why one was missed. */
const KNOWN = new Set(
  'api v1 service console sdk mobile web cross-platform messaging contacts groups unsubscribes urls campaigns'.split(
    ' ',
  ),
);

/** A path that is no route's, without anything in it that may be a phone number, an address or a key. */
function withoutData(path: string): string {
  const parts = path.slice(0, 200).split('/');
  return parts.map((part) => (part === '' || KNOWN.has(part) ? part : '*')).join('/');
}
