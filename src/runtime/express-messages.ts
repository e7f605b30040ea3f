import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Classes for `createServer` whose objects have Express's prototypes from the start. Otherwise Express sets
 * them on every request (expressjs/express#5998), after which each request has its own hidden class in V8:
 * property access gets slow, and the classes are only freed by a full garbage collection.
 */
export function expressMessages(express: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  // Setting the prototype that an object already has is a no-op.
  Object.assign(express, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
