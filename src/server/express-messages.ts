import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * Message classes for `createServer` that have Express's prototypes from the start. Needed for Node 20 and 22:
 * otherwise Express sets the prototypes of each request (expressjs/express#5998), after which no two requests share a
 * shape in V8, property accesses are slow, and the shapes fill the heap
 * (docs/adr/0031-requests-have-express-prototypes-from-the-start.md).
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
