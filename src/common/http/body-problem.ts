import { BrokenBody, PayloadTooLarge, UnsupportedMediaType } from '../errors/errors';

/** Maps an error of body-parser, identified by its `type`, to an API error. */
export function bodyProblem(error: unknown, limit: string): Error {
  const { type, code } = error as { type?: unknown; code?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new PayloadTooLarge(limit);
    case 'encoding.unsupported':
      return new UnsupportedMediaType('Content-Encoding must be gzip, deflate, br or identity');
    case 'request.aborted':
    case 'request.size.invalid':
      return new BrokenBody('The body is not complete');
  }
  if (code === 'ECONNRESET') return new BrokenBody('The body is not complete');
  // Errors of zlib and brotli have codes such as Z_BUF_ERROR and ERR_….
  if (typeof code === 'string') return new BrokenBody('The body does not match its Content-Encoding');
  return error instanceof Error ? error : new Error('The body could not be read', { cause: error });
}
