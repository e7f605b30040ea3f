import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Classes for `createServer` whose objects have Express's prototypes from the start. Express sets them on every request
 * otherwise (expressjs/express#5998), and from then on no two requests share a shape in V8: each property that is added
 * makes a new one, a kilobyte that only a full collection takes back, and what reads it has to search.
 */
export function expressMessages(express: Express) {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  // Setting the prototype that an object has changes nothing.
  Object.assign(express, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
