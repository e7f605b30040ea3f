import { PassThrough, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { MalformedJson, PayloadTooLarge, UnsupportedMediaType } from '../errors/errors';
import type { ApiRequest } from './api-request';
import { bodyProblem } from './body-problem';
import { MIB } from './body-rules';

const READ_AHEAD = MIB;

const DECODERS: Partial<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/**
 * The body of a route that takes it as it comes, decompressed; also one that has been read already. It ends when the
 * client leaves, though all of it has come: nobody waits for what would be made of the rest.
 * @param limit bytes, after decompression
 * @throws while it is read: PayloadTooLarge, UnsupportedMediaType, MalformedJson when it is not whole or the client left
 */
export async function* bodyStream(request: ApiRequest, limit: number): AsyncGenerator<Buffer> {
  if (request.rawBody) {
    yield request.rawBody;
    return;
  }
  let size = 0;
  const hasLeft = () => request.res?.closed === true;
  try {
    // A body that is left in the middle must not close the connection, which still has to carry the answer.
    const chunks = decoded(request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit || hasLeft()) break;
      yield chunk;
    }
  } catch (error) {
    throw bodyProblem(error, `${limit / MIB} MiB`);
  } finally {
    // What nobody takes must still come in, or the connection stands still behind it.
    request.unpipe().resume();
  }
  if (hasLeft()) throw new MalformedJson('The client left before the answer');
  if (size > limit) throw new PayloadTooLarge(`${limit / MIB} MiB`);
}

function decoded(request: ApiRequest): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const decoder = DECODERS[encoding]?.();
  if (!decoder) throw Object.assign(new UnsupportedMediaType(''), { type: 'encoding.unsupported' });
  request.on('error', (error) => decoder.destroy(error));
  // A socket that waits to be read does not tell that its client has left; a little file may hold a lot of work.
  return request.pipe(new PassThrough({ highWaterMark: READ_AHEAD })).pipe(decoder);
}
