import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What is longer is left to node:http, which has a limit of its own. */
const MAX_HEAD = 8_192;
/** One head and nothing behind it, by RFC 9112 at its strictest: no folded lines, no space before a colon. */
const HEAD =
  /^(?:GET|HEAD) \/[!-~]* HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)+\r\n$/;
const LINE_END = '\r\n';
const TAB = 9;
const SPACE = 32;

/** Places of the fields that are read. */
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
/** How a message goes on behind its head, or its connection does. */
const FRAMING = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'proxy-connection'];
const NOT_PLAIN = -1;
const PLACES = new Map([
  ...FIELDS.map((name, place) => [name, place] as const),
  ...FRAMING.map((name) => [name, NOT_PLAIN] as const),
]);
/** Most fields are none of these, and their length says so. */
const LENGTHS = new Set([...PLACES.keys()].map((name) => name.length));

/** Header fields that most requests are answered by, named as `IncomingMessage.headers` names them. */
export interface PlainHeaders {
  host: string;
  'user-agent': string | undefined;
  referer: string | undefined;
  purpose: string | undefined;
  'sec-purpose': string | undefined;
  'x-forwarded-for': string | undefined;
  cookie: string | undefined;
}

/** The other end of a connection. */
export type Peer = Pick<Socket, 'remoteAddress'>;

/**
 * A GET or HEAD that came whole and asks for nothing out of the ordinary. What most requests are answered by is in it
 * as in an `IncomingMessage`, at a fraction of the price.
 */
export class PlainRequest {
  private constructor(
    readonly method: 'GET' | 'HEAD',
    readonly url: string,
    readonly headers: PlainHeaders,
    readonly socket: Peer,
    /** Whether the client wants its connection closed behind the answer. */
    readonly last: boolean,
    private readonly chunk: Buffer,
  ) {}

  /** @returns null for every request that node:http had better read */
  static read(chunk: Buffer, socket: Peer): PlainRequest | null {
    if (chunk.length > MAX_HEAD) return null;
    const head = chunk.toString('latin1');
    if (!HEAD.test(head)) return null;
    const values: (string | undefined)[] = [];
    const firstEnd = head.indexOf(LINE_END);
    for (let at = firstEnd + LINE_END.length; at < head.length - LINE_END.length;) {
      const colon = head.indexOf(':', at);
      const end = head.indexOf(LINE_END, colon);
      const place = LENGTHS.has(colon - at) ? PLACES.get(head.slice(at, colon).toLowerCase()) : undefined;
      if (place !== undefined) {
        if (place === NOT_PLAIN || values[place] !== undefined) return null;
        values[place] = valueOf(chunk, colon, end);
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

  /** The same request as a message of node:http. */
  toMessage(socket: Socket): IncomingMessage {
    const { method, url, chunk } = this;
    const head = chunk.toString('latin1');
    const message = new IncomingMessage(socket);
    Object.assign(message, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
    let at = head.indexOf(LINE_END) + LINE_END.length;
    while (at < head.length - LINE_END.length) {
      const colon = head.indexOf(':', at);
      const end = head.indexOf(LINE_END, colon);
      const [name, value] = [chunk.toString('latin1', at, colon), valueOf(chunk, colon, end)];
      message.rawHeaders.push(name, value);
      const key = name.toLowerCase();
      const before = message.headers[key];
      message.headers[key] = before === undefined ? value : `${before.toString()}, ${value}`;
      at = end + LINE_END.length;
    }
    message.complete = true;
    message.push(null);
    return message;
  }
}

/**
 * What stands between a colon and the end of its line, without the space around it: a text of its own, where a part of
 * the head would keep the whole of it alive in whatever remembers it.
 */
function valueOf(chunk: Buffer, colon: number, end: number): string {
  let from = colon + 1;
  while (from < end && (chunk[from] === SPACE || chunk[from] === TAB)) from++;
  while (end > from && (chunk[end - 1] === SPACE || chunk[end - 1] === TAB)) end--;
  return chunk.toString('latin1', from, end);
}
