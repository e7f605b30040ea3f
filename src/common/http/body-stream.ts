import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PayloadTooLarge, UnsupportedMediaType } from '../errors/errors';
import type { ApiRequest } from './api-request';
import { bodyProblem } from './body-problem';
import { MIB } from './body-rules';

const DECODERS: Partial<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/**
 * The body of a route that takes it as it comes, decompressed; also one that has been read already.
 * @param limit bytes, after decompression
 * @throws while it is read: PayloadTooLarge, UnsupportedMediaType, MalformedJson when it is not whole
 */
export async function* bodyStream(request: ApiRequest, limit: number): AsyncGenerator<Buffer> {
  if (request.rawBody) {
    yield request.rawBody;
    return;
  }
  let size = 0;
  try {
    // A body that is left in the middle must not close the connection, which still has to carry the answer.
    const chunks = decoded(request).iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > limit) break;
      yield chunk;
    }
  } catch (error) {
    throw bodyProblem(error, `${limit / MIB} MiB`);
  } finally {
    // What nobody takes must still come in, or the connection stands still behind it.
    request.unpipe().resume();
  }
  if (size > limit) throw new PayloadTooLarge(`${limit / MIB} MiB`);
}

function decoded(request: ApiRequest): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const decoder = DECODERS[encoding]?.();
  if (!decoder) throw Object.assign(new UnsupportedMediaType(''), { type: 'encoding.unsupported' });
  request.on('error', (error) => decoder.destroy(error));
  return request.pipe(decoder);
}
