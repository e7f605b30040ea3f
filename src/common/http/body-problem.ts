import { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from '../errors/errors';

/** What went wrong while a body was read, in the API's words: body-parser names its errors by `type`. */
export function bodyProblem(error: unknown, limit: string): Error {
  const { type, code } = error as { type?: unknown; code?: unknown };
  switch (type) {
    case 'entity.too.large':
      return new PayloadTooLarge(limit);
    case 'encoding.unsupported':
      return new UnsupportedMediaType('Content-Encoding must be gzip, deflate, br or identity');
    case 'request.aborted':
    case 'request.size.invalid':
      return new MalformedJson('The body is not complete');
  }
  // zlib's errors carry Z_BUF_ERROR, Z_DATA_ERROR and so on, brotli's ERR_…
  if (typeof code === 'string') return new MalformedJson('The body is not what its Content-Encoding says');
  return error instanceof Error ? error : new Error('The body could not be read', { cause: error });
}
