import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from './api-request';

/** Content-Security-Policy of responses that are not pages. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const SANE_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Assigns the request id and sets the headers common to all API responses. */
export function startRequest(request: ApiRequest, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  request.id = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Content-Security-Policy', NOTHING);
  // Responses contain tenant data and changing statistics, so no cache may store them.
  response.setHeader('Cache-Control', 'no-store');
  next();
}
