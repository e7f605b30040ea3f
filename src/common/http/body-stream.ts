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
 * Streams the decompressed body of a request, even if it has already been read. Stops when the client disconnects, even
 * after the whole body has arrived.
 * @param limit bytes after decompression
 * @throws while iterating: PayloadTooLarge, UnsupportedMediaType, or MalformedJson if the body is incomplete or the
 * client has disconnected
 */
export async function* bodyStream(request: ApiRequest, limit: number): AsyncGenerator<Buffer> {
  if (request.rawBody) {
    yield request.rawBody;
    return;
  }
  let size = 0;
  const hasLeft = () => request.res?.closed === true;
  let body: Readable | null = null;
  try {
    body = decoded(request);
    // Ending the iteration early must not destroy the connection, which still has to carry the response.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit || hasLeft()) break;
      yield chunk;
    }
  } catch (error) {
    // Decompressed data from before a truncated body broke off.
    const rest = body?.read() as Buffer | null | undefined;
    if (rest && size + rest.length <= limit) yield rest;
    throw bodyProblem(error, `${limit / MIB} MiB`);
  } finally {
    // Drains the rest of the body, without which the connection would stall.
    request.unpipe().resume();
  }
  if (hasLeft()) throw new MalformedJson('The client disconnected before the response');
  if (size > limit) throw new PayloadTooLarge(`${limit / MIB} MiB`);
}

function decoded(request: ApiRequest): Readable {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return request;
  const decoder = DECODERS[encoding]?.();
  if (!decoder) throw Object.assign(new UnsupportedMediaType(''), { type: 'encoding.unsupported' });
  request.on('error', (error) => decoder.destroy(error));
  // The PassThrough reads ahead, because an unread socket does not report a disconnect, and a small compressed body may
  // mean much work.
  return request.pipe(new PassThrough({ highWaterMark: READ_AHEAD })).pipe(decoder);
}
