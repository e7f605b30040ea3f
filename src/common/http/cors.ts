import type { NextFunction, Request, RequestHandler, Response } from 'express';

const MAX_AGE_SECONDS = 86_400;
const READABLE = 'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

/**
 * Lets pages of any origin call, without credentials, and answers preflights.
 * @param headers further headers that calls may carry
 */
export function anyOrigin(...headers: string[]): RequestHandler {
  const allowed = ['Content-Type', 'X-Request-Id', ...headers].join(', ');
  return (request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method !== 'OPTIONS') {
      response.setHeader('Access-Control-Expose-Headers', READABLE);
      next();
      return;
    }
    response
      .setHeader('Access-Control-Allow-Methods', 'GET, POST')
      .setHeader('Access-Control-Allow-Headers', allowed)
      .setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS)
      .status(204)
      .end();
  };
}
