import { randomUUID } from 'node:crypto';
import type { NextFunction, Response } from 'express';
import type { ApiRequest } from './api-request';

const SANE_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Gives the request its id, and the answer the headers that every API answer has. */
export function startRequest(request: ApiRequest, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  request.id = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', request.id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Answers hold a tenant's data, and statistics that move: no shared or private cache may keep them.
  response.setHeader('Cache-Control', 'no-store');
  next();
}
