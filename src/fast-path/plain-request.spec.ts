import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, Socket } from 'node:net';
import { constantFrom, array, asyncProperty, assert, oneof, string, tuple } from 'fast-check';
import { PlainRequest } from './plain-request';

const HOST = 'Host: go.example\r\n';

describe('A plain request', () => {
  const socket = new Socket();
  const read = (text: string) => PlainRequest.read(Buffer.from(text, 'latin1'), socket);

  it('has the values that node:http would have read', () => {
    const head =
      'GET /abc?d=%20e HTTP/1.1\r\nHOST: go.example\r\nUser-Agent:  a b \t\r\nAccept:\r\nAccept: x\r\nReferer: \xe9\r\nCookie: c=d\r\n\r\n';
    const request = read(head);
    expect(request).toMatchObject({ method: 'GET', url: '/abc?d=%20e', last: false });
    expect(request?.headers).toEqual({
      host: 'go.example',
      'user-agent': 'a b',
      referer: '\xe9',
      purpose: undefined,
      'sec-purpose': undefined,
      'x-forwarded-for': undefined,
      cookie: 'c=d',
    });
    expect(request?.rareHeader('accept')).toBe(', x');
    expect(request?.rareHeader('accept-language')).toBeUndefined();
    expect(request?.toMessage(socket)).toMatchObject({
      method: 'GET',
      url: '/abc?d=%20e',
      httpVersion: '1.1',
      complete: true,
      headers: { host: 'go.example', 'user-agent': 'a b', accept: ', x', referer: '\xe9', cookie: 'c=d' },
    });
  });

  it.each([
    ['keep-alive', false],
    ['Keep-Alive', false],
    ['close', true],
    ['Close', true],
  ])('says with "Connection: %s" whether it is the last: %s', (connection, last) => {
    expect(read(`HEAD / HTTP/1.1\r\n${HOST}Connection: ${connection}\r\n\r\n`)).toMatchObject({
      method: 'HEAD',
      last,
    });
  });

  it.each([
    ['another method', `POST / HTTP/1.1\r\n${HOST}\r\n`],
    ['a method in small letters', `get / HTTP/1.1\r\n${HOST}\r\n`],
    ['another version', `GET / HTTP/1.0\r\n${HOST}\r\n`],
    ['an address in full', `GET http://go.example/ HTTP/1.1\r\n${HOST}\r\n`],
    ['a path with a space', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
    ['a path beyond ASCII', `GET /\xe9 HTTP/1.1\r\n${HOST}\r\n`],
    ['no host', 'GET / HTTP/1.1\r\nAccept: x\r\n\r\n'],
    ['no header at all', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['two referrers', `GET / HTTP/1.1\r\n${HOST}Referer: a\r\nREFERER: b\r\n\r\n`],
    ['a body by its length', `GET / HTTP/1.1\r\n${HOST}Content-Length: 1\r\n\r\n`],
    ['a length of nothing', `GET / HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`],
    ['a body in chunks', `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`],
    ['a wish to be told to go on', `GET / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\n\r\n`],
    ['another protocol', `GET / HTTP/1.1\r\n${HOST}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['more than one wish of a connection', `GET / HTTP/1.1\r\n${HOST}Connection: close, te\r\n\r\n`],
    ['a space before a colon', `GET / HTTP/1.1\r\n${HOST}Accept : x\r\n\r\n`],
    ['a folded line', `GET / HTTP/1.1\r\n${HOST}Accept: x\r\n y\r\n\r\n`],
    ['a bare line feed', `GET / HTTP/1.1\n${HOST}\r\n`],
    ['a NUL', `GET / HTTP/1.1\r\n${HOST}Accept: \0\r\n\r\n`],
    ['a name without a value', `GET / HTTP/1.1\r\n${HOST}Accept\r\n\r\n`],
    ['a part of a head', `GET / HTTP/1.1\r\n${HOST}`],
    ['something behind its head', `GET / HTTP/1.1\r\n${HOST}\r\nG`],
    ['another request behind it', `GET / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['a line break before it', `\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['many header lines', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(200)}\r\n`],
    ['a long head', `GET / HTTP/1.1\r\n${HOST}Accept: ${'x'.repeat(8_192)}\r\n\r\n`],
  ])('does not include %s', (_, text) => {
    expect(read(text)).toBeNull();
  });

  describe('beside node:http', () => {
    let server: Server;
    let seen: IncomingMessage[] = [];

    beforeAll(async () => {
      server = createServer((request, response) => {
        seen.push(request);
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterAll(() => server.close());

    async function readByNode(text: string): Promise<IncomingMessage[]> {
      seen = [];
      const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
      client.end(Buffer.from(text, 'latin1'));
      client.resume();
      await once(client, 'close');
      return seen;
    }

    const word = string({
      maxLength: 6,
      unit: constantFrom(...Array.from('aZ0-_.:/?#%&=+ \t"<>[]{}|\\^`~!$\'()*,;@\xe9\x7f\0\r\n')),
    });
    const name = oneof(
      word,
      constantFrom('Host', 'user-agent', 'REFERER', 'Cookie', 'Purpose', 'Connection', 'Keep-Alive', 'TE'),
      constantFrom('Content-Length', 'Transfer-Encoding', 'Expect', 'Upgrade', 'Proxy-Connection', 'Trailer'),
    );
    const value = oneof(
      word,
      constantFrom('close', 'keep-alive', 'chunked', '0', '5', 'upgrade', ' x ', '\tx'),
    );
    const separator = oneof(
      { weight: 9, arbitrary: constantFrom(': ') },
      { weight: 1, arbitrary: constantFrom(':', ' : ', '') },
    );
    const end = oneof(
      { weight: 20, arbitrary: constantFrom('\r\n') },
      { weight: 1, arbitrary: constantFrom('\n', '\r', '\r\n ') },
    );
    const line = tuple(name, separator, value, end).map((parts) => parts.join(''));
    const head = tuple(
      oneof(
        { weight: 9, arbitrary: constantFrom('GET', 'HEAD') },
        { weight: 1, arbitrary: constantFrom('POST', 'GE', 'CONNECT') },
      ),
      word.map((path) => ` /${path} `),
      oneof(
        { weight: 9, arbitrary: constantFrom('HTTP/1.1') },
        { weight: 1, arbitrary: constantFrom('HTTP/1.0', 'HTTP/1.11', '') },
      ),
      end,
      constantFrom(HOST, HOST, HOST, ''),
      array(line, { maxLength: 4 }).map((lines) => lines.join('')),
      end,
      oneof({ weight: 9, arbitrary: constantFrom('') }, { weight: 1, arbitrary: word }),
    ).map((parts) => parts.join(''));

    it('is read like node:http reads it, for any input', async () => {
      let plain = 0;
      await assert(
        asyncProperty(head, async (text) => {
          const request = read(text);
          if (!request) return;
          plain++;
          const [byNode, ...more] = await readByNode(text);
          expect(more).toEqual([]);
          const { method, url, headers } = byNode ?? {};
          const message = request.toMessage(socket);
          expect({ method, url, headers }).toEqual({
            method: message.method,
            url: message.url,
            headers: message.headers,
          });
          expect(headers).toMatchObject(JSON.parse(JSON.stringify(request.headers)) as object);
        }),
        { numRuns: 3_000 },
      );
      expect(plain).toBeGreaterThan(200);
    });
  });
});
