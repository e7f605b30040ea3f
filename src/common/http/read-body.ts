import { type RequestHandler, raw, type Response } from 'express';
import { PayloadTooLarge, UnsupportedMediaType } from '../errors/errors';
import type { ApiRequest } from './api-request';
import { type BodyRules, MIB } from './body-rules';
import { decodeUtf8, parseJson } from './json';
import { bodyProblem } from './body-problem';

const UTF8 = new Set(['utf-8', 'utf8', 'us-ascii']);

/** One parser per limit, because creating one costs more than using it. */
const readers = new Map<number, RequestHandler>();

/**
 * Reads and decodes the body into `request.body`, and its bytes into `request.rawBody`; both stay undefined without a
 * body. Further calls return the same promise.
 * @throws UnsupportedMediaType, PayloadTooLarge, MalformedJson
 */
export function readBody(request: ApiRequest, response: Response, rules: BodyRules): Promise<void> {
  return (request.bodyRead ??= read(request, response, rules));
}

async function read(request: ApiRequest, response: Response, rules: BodyRules): Promise<void> {
  if (!announcesBody(request)) return;
  const type = checkedType(request, rules);
  const bytes = await readBytes(request, response, rules.limit);
  if (bytes.length === 0) return;
  request.rawBody = bytes;
  request.body = rules.jsonTypes.includes(type) ? parseJson(bytes) : decodeUtf8(bytes);
}

/**
 * Checks the headers of a body that the handler will stream.
 * @throws UnsupportedMediaType, PayloadTooLarge
 */
export function checkStreamed(request: ApiRequest, rules: BodyRules, limit: number): void {
  if (!announcesBody(request)) return;
  checkedType(request, rules);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new PayloadTooLarge(`${limit / MIB} MiB`);
}

function announcesBody({ headers }: ApiRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function checkedType({ headers }: ApiRequest, rules: BodyRules): string {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!rules.types.includes(type)) {
    throw new UnsupportedMediaType(`Content-Type must be ${rules.types.join(' or ')}`);
  }
  const charset = parameters
    .find((part) => part.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (charset !== undefined && !UTF8.has(charset)) {
    throw new UnsupportedMediaType('The charset of the body must be UTF-8');
  }
  return type;
}

/**
 * Reads a body of any type, decompressed; empty if there is none.
 * @throws UnsupportedMediaType, PayloadTooLarge, MalformedJson
 */
export async function readBytes(request: ApiRequest, response: Response, limit: number): Promise<Buffer> {
  let reader = readers.get(limit);
  if (!reader) {
    reader = raw({ limit, type: () => true });
    readers.set(limit, reader);
  }
  const read = reader;
  await new Promise<void>((resolve, reject) => {
    void read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyProblem(error, `${limit / MIB} MiB`));
    });
  });
  const bytes: unknown = request.body;
  request.body = undefined;
  return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
}
