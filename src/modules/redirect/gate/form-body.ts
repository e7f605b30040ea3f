import type { IncomingMessage } from 'node:http';

const LIMIT = 4096;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** What a page's form sends; or why it is none: as HTTP status. */
export type FormBody = URLSearchParams | 413 | 415;

/** Reads the body of a small form. @throws when it does not arrive whole */
export async function readForm(request: IncomingMessage): Promise<FormBody> {
  if (!FORM.test(request.headers['content-type'] ?? '') || request.headers['content-encoding']) return 415;
  const chunks: Buffer[] = [];
  let size = 0;
  // What is left unread when the loop is left must not close the connection before the answer is sent.
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
