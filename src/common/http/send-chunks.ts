import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Streams text as a response, at the client's pace. An error before the first chunk becomes an ordinary error response;
 * a later one cuts the connection, so that the response does not look complete. A HEAD request gets only the headers,
 * and no chunk is read.
 */
export async function sendChunks(
  response: Response,
  chunks: AsyncGenerator<string>,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (response.req.method === 'HEAD') {
    response.set(headers).end();
    return;
  }
  const first = await chunks.next();
  response.set(headers);
  if (first.done !== true) response.write(first.value);
  try {
    await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    // The client has disconnected.
  }
}
