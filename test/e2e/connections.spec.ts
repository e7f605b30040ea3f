import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ClickJournal } from '../../src/modules/clicks/journal/click-journal';
import { eventually } from '../support/eventually';
import { createOrganization } from '../support/factories';
import { API_HOST, perSuite, SHORT_HOST, type TestApp, useTestApp } from '../support/test-app';

/** A client that sends raw bytes, and reads responses one by one. */
class RawClient {
  private received = '';

  private constructor(readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => (this.received += text));
  }

  static async to(app: TestApp): Promise<RawClient> {
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Reads the next response: status, headers, and the body according to these. */
  async answer(): Promise<{ status: number; headers: Map<string, string>; body: string }> {
    const length = await eventually(async () => {
      await Promise.resolve();
      const headEnd = this.received.indexOf('\r\n\r\n') + 4;
      expect(headEnd).toBeGreaterThan(4);
      const bytes = Number(/\r\ncontent-length: (\d+)/i.exec(this.received.slice(0, headEnd))?.[1] ?? 0);
      expect(this.received.length).toBeGreaterThanOrEqual(headEnd + bytes);
      return { headEnd, end: headEnd + bytes };
    });
    const [statusLine = '', ...lines] = this.received.slice(0, length.headEnd - 4).split('\r\n');
    const body = this.received.slice(length.headEnd, length.end);
    this.received = this.received.slice(length.end);
    const headers = new Map(lines.map((line) => line.split(': ', 2) as [string, string]));
    return { status: Number(statusLine.split(' ')[1]), headers, body };
  }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  `GET ${path} HTTP/1.1\r\n${Object.entries({ Host: SHORT_HOST, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

describe('connections', () => {
  const app = useTestApp();
  let links: { id: number; path: string; url: string }[];
  let client: RawClient;

  const organization = perSuite(() => createOrganization(app));
  beforeEach(async () => {
    links = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const url = `https://example.com/${n}`;
        const { body } = await organization.api.post('/api/v1/service/urls', { url }).expect(201);
        return { id: body.id as number, path: new URL(body.shortUrl as string).pathname, url };
      }),
    );
    client = await RawClient.to(app);
  });
  afterEach(() => client.socket.destroy());

  const clicksAre = (expected: number[]) =>
    eventually(async () => {
      const rows = await app.sql<{ id: number; clicks: number }>(
        'SELECT tracked_link_id AS id, count(*) AS clicks FROM clicks GROUP BY tracked_link_id',
      );
      const clicks = new Map(rows.map((row) => [row.id, row.clicks]));
      expect(links.map(({ id }) => clicks.get(id) ?? 0)).toEqual(expected);
    });
  const pathOf = (n: number) => links[n]?.path ?? '';

  it('carry redirects in sequence, each counted, with the same headers as node:http', async () => {
    for (const n of [0, 1, 0, 2, 0]) {
      client.send(get(pathOf(n)));
      const { status, headers, body } = await client.answer();
      expect({ status, body }).toEqual({ status: 302, body: '' });
      expect(Object.fromEntries(headers)).toEqual({
        Location: links[n]?.url,
        'Cache-Control': 'private, no-store',
        'Content-Length': '0',
        Date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
        Connection: 'keep-alive',
        'Keep-Alive': 'timeout=130',
      });
    }
    await clicksAre([3, 1, 1]);
  });

  it('carry redirects, pages, files, HEAD, then API calls and any further requests', async () => {
    const expected: [request: string, status: number][] = [
      [get(pathOf(0)), 302],
      [get('/nothing'), 404],
      [get(pathOf(0)), 302],
      [get('/robots.txt'), 200],
      [get(pathOf(0)).replace('GET', 'HEAD'), 302],
      [get(pathOf(1), { Host: 'elsewhere.example' }), 404],
      [get(pathOf(0)), 302],
      [get('/api/v1/service/urls', { Host: API_HOST, 'X-Api-Key': organization.apiKey }), 200],
      [get(pathOf(1)), 302],
      [get(pathOf(1)).replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}').replace('GET', 'POST'), 405],
      [get('/nothing'), 404],
      [get(pathOf(1)), 302],
    ];
    for (const [request, status] of expected) {
      client.send(request);
      const answer = await client.answer();
      expect({ request, status: answer.status }).toEqual({ request, status });
    }
    await clicksAre([3, 2, 0]);
  });

  it('carry requests that arrive in pieces', async () => {
    for (const piece of get(pathOf(0)).match(/[^]{1,7}/g) ?? []) {
      client.send(piece);
      await new Promise((done) => setImmediate(done));
    }
    expect((await client.answer()).status).toBe(302);
    client.send(get(pathOf(1)));
    expect((await client.answer()).headers.get('Location')).toBe(links[1]?.url);
    await clicksAre([1, 1, 0]);
  });

  it.each(['at once', 'one by one'])('answer pipelined requests in order: %s', async (how) => {
    const order = [0, 1, 2, 1, 0, 2, 2, 1];
    const requests = order.map((n) => get(pathOf(n)));
    if (how === 'at once') client.send(requests.join(''));
    else
      for (const request of requests) {
        client.send(request);
        await new Promise((done) => setImmediate(done));
      }
    for (const n of order) expect((await client.answer()).headers.get('Location')).toBe(links[n]?.url);
    await clicksAre([2, 3, 3]);
  });

  it('answer a page before the request that follows it', async () => {
    client.send(get('/nothing'));
    client.send(get(pathOf(0)));
    expect((await client.answer()).status).toBe(404);
    expect((await client.answer()).status).toBe(302);
    await clicksAre([1, 0, 0]);
  });

  it('close when the client requests it', async () => {
    for (const [path, status] of [
      [pathOf(0), 302],
      ['/nothing', 404],
    ] as const) {
      const last = await RawClient.to(app);
      last.send(get(path, { Connection: 'close' }));
      const ended = once(last.socket, 'end');
      const answer = await last.answer();
      expect([answer.status, answer.headers.get('Connection')]).toEqual([status, 'close']);
      await ended;
      last.socket.destroy();
    }
    await clicksAre([1, 0, 0]);
  });

  it('continue for others when a client disconnects before its response', async () => {
    client.send(get(pathOf(0)));
    client.socket.resetAndDestroy();
    const other = await RawClient.to(app);
    other.send(get(pathOf(1)));
    expect((await other.answer()).status).toBe(302);
    other.socket.destroy();
    await clicksAre([expect.any(Number) as number, 1, 0]);
  });

  it('answer 503 when no store accepts a click, and carry the next request', async () => {
    client.send(get(pathOf(0)));
    expect((await client.answer()).status).toBe(302);
    const keep = jest.spyOn(app.get(ClickJournal), 'append').mockRejectedValueOnce(new Error('no place'));
    client.send(get(pathOf(0)));
    const { status, headers } = await client.answer();
    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    keep.mockImplementationOnce(() => {
      throw new Error('no ids');
    });
    client.send(get(pathOf(0)));
    expect((await client.answer()).status).toBe(503);
    keep.mockRestore();
    client.send(get(pathOf(0)));
    expect((await client.answer()).status).toBe(302);
    await clicksAre([2, 0, 0]);
  });

  it.each([
    ['a form of another type', 'Content-Type: application/json', 415],
    ['a form that is too large', 'Content-Type: application/x-www-form-urlencoded', 413],
    ['a form for an unknown opt-out link', 'Connection: close', 404],
  ])('carry the response to %s, whose rest arrives later', async (_name, header, status) => {
    const locked = { url: 'https://example.com/', password: 'open sesame' };
    const { body } = await organization.api.post('/api/v1/service/urls', locked).expect(201);
    const path = status === 404 ? `/u/${'a'.repeat(22)}` : new URL(body.shortUrl as string).pathname;
    const errors: unknown[] = [];
    const [ended, closed] = [once(client.socket, 'end'), once(client.socket, 'close')];
    client.socket.on('error', (error) => errors.push(error));
    client.send(
      get(path).replace('GET', 'POST').replace('\r\n\r\n', `\r\n${header}\r\nContent-Length: 500000\r\n\r\n`),
    );
    client.send('x'.repeat(5_000));
    expect((await client.answer()).status).toBe(status);
    await ended;
    for (let sent = 0; sent < 400_000; sent += 50_000) {
      client.send('x'.repeat(50_000));
      await new Promise((done) => setImmediate(done));
    }
    client.socket.end();
    await closed;
    expect(errors).toEqual([]);
  });

  it.each([
    ['no host', 'GET /abc HTTP/1.1\r\nAccept: x\r\n\r\n', 400],
    [
      'two lengths',
      `POST /abc HTTP/1.1\r\nHost: ${SHORT_HOST}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
    ],
    ['data that is not HTTP', 'hello\r\n\r\n', 400],
    ['a head beyond 16 KB', get('/abc', { Accept: 'x'.repeat(17_000) }), 431],
  ])('refuse %s like node:http', async (_, text, status) => {
    client.send(text);
    expect((await client.answer()).status).toBe(status);
  });
});
