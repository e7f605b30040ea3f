import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { limitUnanswered } from './unanswered-requests';

const GET = 'GET /%s HTTP/1.1\r\nHost: a\r\n\r\n';
const LIMIT = 16;

describe('Unanswered requests of a connection', () => {
  let server: Server;
  let client: Socket;
  let received: string;
  let requests: { url: string; body: string; response: ServerResponse }[];

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      const entry = { url: request.url ?? '', body: '', response };
      requests.push(entry);
      request.setEncoding('latin1').on('data', (text: string) => (entry.body += text));
    });
    limitUnanswered(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    received = '';
    client.setEncoding('latin1').on('data', (text: string) => (received += text));
    await once(client, 'connect');
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });

  const until = async (holds: () => boolean) => {
    const giveUpAt = performance.now() + 60_000;
    while (!holds()) {
      if (performance.now() > giveUpAt) throw new Error(`Timed out: received ${requests.length}`);
      await nextTurn();
    }
  };
  /** Waits for the sent data to arrive. */
  const settle = () => delay(50);
  const gets = (from: number, to: number) => {
    let text = '';
    for (let n = from; n < to; n++) text += GET.replace('%s', String(n));
    return text;
  };
  const answer = (n: number) => requests[n]?.response.end(`answer-${n};`);

  it('are limited to 16, however they arrive', async () => {
    client.write(gets(0, 1_000));
    await until(() => requests.length >= LIMIT);
    await settle();
    expect(requests).toHaveLength(LIMIT);
    for (let n = 0; n < 5; n++) answer(n);
    await until(() => requests.length >= LIMIT + 5);
    await settle();
    expect(requests).toHaveLength(LIMIT + 5);
  });

  it('are all answered, in order', async () => {
    client.write(gets(0, 3_000));
    for (let n = 0; n < 3_000; n++) {
      await until(() => requests.length > n);
      answer(n);
    }
    await until(() => received.includes('answer-2999;'));
    const answers = [...received.matchAll(/answer-(\d+);/g)].map(([, n]) => Number(n));
    expect(answers).toEqual(Array.from({ length: 3_000 }, (_, n) => n));
    expect(requests.map(({ url }) => url)).toEqual(answers.map((n) => `/${n}`));
  });

  it('keep their bodies, even if a body looks like a request', async () => {
    const body = `a\r\n\r\nGET /no HTTP/1.1\r\nHost: a\r\n\r\n${'\r\n'.repeat(20)}`;
    const post = (n: number) =>
      `POST /${n} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const chunked = (n: number) =>
      `POST /${n} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n` +
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    let text = '';
    for (let n = 0; n < 100; n++) text += n % 2 === 0 ? post(n) : chunked(n);
    for (const piece of text.match(/[^]{1,997}/g) ?? []) client.write(piece, 'latin1');
    for (let n = 0; n < 100; n++) {
      await until(() => requests.length > n && requests[n]?.body.length === body.length);
      answer(n);
    }
    await until(() => received.includes('answer-99;'));
    expect(requests.map(({ url, body: read }) => [url, read])).toEqual(
      Array.from({ length: 100 }, (_, n) => [`/${n}`, body]),
    );
  });

  it('still count while the client does not read the responses', async () => {
    client.pause();
    client.write(gets(0, 2_000));
    const answered = new Set<number>();
    const long = 'x'.repeat(1_000_000);
    await until(() => requests.length >= LIMIT);
    let quiet = 0;
    while (quiet < 20) {
      const before = requests.length;
      for (let n = answered.size; n < requests.length; n++) {
        requests[n]?.response.end(long);
        answered.add(n);
      }
      await delay(5);
      quiet = requests.length === before ? quiet + 1 : 0;
    }
    const open = requests.filter(({ response }) => !response.writableFinished).length;
    expect(open).toBeGreaterThan(0);
    expect(open).toBeLessThanOrEqual(LIMIT);
    expect(requests.length).toBeLessThan(200);
  });

  it('include those that node:http answers itself', async () => {
    client.write(gets(0, 1));
    client.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n'.repeat(100) + gets(1, 2));
    await until(() => requests.length === 1);
    await settle();
    expect(requests).toHaveLength(1);
    answer(0);
    await until(() => requests.length === 2);
    answer(1);
    await until(() => received.includes('answer-1;'));
    expect(received.match(/ 417 /g)).toHaveLength(100);
  });

  it('are rejected as usual if they are not HTTP', async () => {
    client.write(`${gets(0, 1)}hello\r\n\r\nhello\r\n\r\n`);
    await once(client, 'close');
    expect(requests).toHaveLength(1);
    expect(received).toContain(' 400 ');
  });
});
