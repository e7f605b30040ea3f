import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MAX_HEADER_LINES } from '../common/http/request-head';

/** Longer heads are left to node:http, which has a limit of its own. */
const MAX_HEAD = 8_192;
/**
 * A single request head without a body, by the strictest reading of RFC 9112: no folded lines, no space before a colon.
 */
const HEAD =
  /^(?:GET|HEAD) \/[!-~]* HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)+\r\n$/;
const LINE_END = '\r\n';
const TAB = 9;
const SPACE = 32;

const FIELDS = [
  'host',
  'connection',
  'user-agent',
  'referer',
  'purpose',
  'sec-purpose',
  'x-forwarded-for',
  'cookie',
];
const FRAMING = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'proxy-connection'];
const NOT_PLAIN = -1;
const INDEXES = new Map([
  ...FIELDS.map((name, index) => [name, index] as const),
  ...FRAMING.map((name) => [name, NOT_PLAIN] as const),
]);
/** Excludes most other fields by their length. */
const LENGTHS = new Set([...INDEXES.keys()].map((name) => name.length));

/** Leaves requests with this header field to node:http. Its length must be that of a field above. */
export function leaveToNode(field: 'traceparent'): void {
  INDEXES.set(field, NOT_PLAIN);
}

/** The header fields that most requests need, as in `IncomingMessage.headers`. */
export interface PlainHeaders {
  host: string;
  'user-agent': string | undefined;
  referer: string | undefined;
  purpose: string | undefined;
  'sec-purpose': string | undefined;
  'x-forwarded-for': string | undefined;
  cookie: string | undefined;
}

export type Peer = Pick<Socket, 'remoteAddress'>;

/**
 * A GET or HEAD request that arrived in one piece and uses no special feature. It has the parts of an `IncomingMessage`
 * that most requests need, at a fraction of the cost.
 */
export class PlainRequest {
  private constructor(
    readonly method: 'GET' | 'HEAD',
    readonly url: string,
    readonly headers: PlainHeaders,
    readonly socket: Peer,
    /** Whether the connection is to be closed after the response. */
    readonly last: boolean,
    private readonly chunk: Buffer,
  ) {}

  /** @returns null for requests that node:http must handle */
  static read(chunk: Buffer, socket: Peer): PlainRequest | null {
    if (chunk.length > MAX_HEAD) return null;
    const head = chunk.toString('latin1');
    if (!HEAD.test(head)) return null;
    const values: (string | undefined)[] = [];
    const firstEnd = head.indexOf(LINE_END);
    let lines = 0;
    for (let at = firstEnd + LINE_END.length; at < head.length - LINE_END.length;) {
      if (++lines > MAX_HEADER_LINES) return null;
      const colon = head.indexOf(':', at);
      const end = head.indexOf(LINE_END, colon);
      const index = LENGTHS.has(colon - at) ? INDEXES.get(head.slice(at, colon).toLowerCase()) : undefined;
      if (index !== undefined) {
        if (index === NOT_PLAIN || values[index] !== undefined) return null;
        values[index] = valueOf(chunk, colon, end);
      }
      at = end + LINE_END.length;
    }
    const [host, connection, userAgent, referer, purpose, secPurpose, forwardedFor, cookie] = values;
    const last = connection?.toLowerCase() === 'close';
    if (
      host === undefined ||
      !(connection === undefined || last || connection.toLowerCase() === 'keep-alive')
    )
      return null;
    const urlAt = head.indexOf(' ') + 1;
    return new PlainRequest(
      head.startsWith('GET') ? 'GET' : 'HEAD',
      chunk.toString('latin1', urlAt, firstEnd - ' HTTP/1.1'.length),
      {
        host,
        'user-agent': userAgent,
        referer,
        purpose,
        'sec-purpose': secPurpose,
        'x-forwarded-for': forwardedFor,
        cookie,
      },
      socket,
      last,
      chunk,
    );
  }

  /** Reads a header field that few redirects need; several are joined as in `IncomingMessage.headers`. */
  rareHeader(name: string): string | undefined {
    const values = this.fields().flatMap(([field, value]) => (field.toLowerCase() === name ? [value] : []));
    return values.length > 0 ? values.join(', ') : undefined;
  }

  toMessage(socket: Socket): IncomingMessage {
    const { method, url } = this;
    const message = new IncomingMessage(socket);
    Object.assign(message, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
    for (const [name, value] of this.fields()) {
      message.rawHeaders.push(name, value);
      const key = name.toLowerCase();
      const before = message.headers[key];
      message.headers[key] = before === undefined ? value : `${before.toString()}, ${value}`;
    }
    message.complete = true;
    message.push(null);
    return message;
  }

  private fields(): [name: string, value: string][] {
    const { chunk } = this;
    const head = chunk.toString('latin1');
    const fields: [string, string][] = [];
    let at = head.indexOf(LINE_END) + LINE_END.length;
    while (at < head.length - LINE_END.length) {
      const colon = head.indexOf(':', at);
      const end = head.indexOf(LINE_END, colon);
      fields.push([chunk.toString('latin1', at, colon), valueOf(chunk, colon, end)]);
      at = end + LINE_END.length;
    }
    return fields;
  }
}

/**
 * The trimmed text between a colon and the end of its line. A copy, because a slice would keep the whole head in memory
 * while it is cached.
 */
function valueOf(chunk: Buffer, colon: number, end: number): string {
  let from = colon + 1;
  while (from < end && (chunk[from] === SPACE || chunk[from] === TAB)) from++;
  while (end > from && (chunk[end - 1] === SPACE || chunk[end - 1] === TAB)) end--;
  return chunk.toString('latin1', from, end);
}
