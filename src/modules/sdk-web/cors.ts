import type { NextFunction, Request, Response } from 'express';

const MAX_AGE_SECONDS = 86_400;
const READABLE = 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

/**
 * Allows calls from any origin, without credentials (docs/concepts/deep-links.md#calls-of-web-pages), and answers
 * preflights.
 */
export function anyOrigin(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') {
    response.setHeader('Access-Control-Expose-Headers', READABLE);
    next();
    return;
  }
  response
    .setHeader('Access-Control-Allow-Methods', 'GET, POST')
    .setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id')
    .setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS)
    .status(204)
    .end();
}
