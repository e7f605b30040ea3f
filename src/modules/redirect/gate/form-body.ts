import type { IncomingMessage } from 'node:http';

const LIMIT = 4096;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** A parsed form, or the HTTP status with which it was rejected. */
export type FormBody = URLSearchParams | 413 | 415;

/** Reads the body of a small form. @throws if the request is aborted */
export async function readForm(request: IncomingMessage): Promise<FormBody> {
  if (!FORM.test(request.headers['content-type'] ?? '') || request.headers['content-encoding']) return 415;
  const chunks: Buffer[] = [];
  let size = 0;
  // Ending the loop early must not close the connection, which still has to carry the response.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LIMIT) {
      request.resume();
      return 413;
    }
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
