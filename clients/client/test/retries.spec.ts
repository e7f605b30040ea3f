import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Waypost,
  WaypostBadRequest,
  WaypostConnectionError,
  WaypostRateLimited,
  WaypostServerError,
  WaypostTimeout,
} from '@waypost/client';
import { registerApp } from '../../../test/support/apps';
import { createOrganization, type TestOrganization } from '../../../test/support/factories';
import { useTestApp } from '../../../test/support/test-app';
import { type Call, type Fault, useGateway } from './support/gateway';

const FAULTS: readonly Fault[] = [
  { refuse: 429, retryAfter: '7' },
  { refuse: 503, retryAfter: '1' },
  { refuse: 503 },
  { refuse: 502 },
  { cut: 'before' },
  { cut: 'after' },
  { cut: 'within' },
  { repeat: true },
];

describe('Retries', () => {
  const app = useTestApp();
  const proxy = useGateway(app);
  let org: TestOrganization;
  let waypost: Waypost;
  let waits: number[] = [];
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  /** The first calls meet these faults, the others none. */
  const meet = (...faults: Fault[]) => {
    proxy.get().calls.length = 0;
    proxy.get().fate = () => faults.shift() ?? null;
  };
  const calls = (): readonly Call[] => proxy.get().calls;
  const keys = () => new Set(calls().map(({ headers }) => headers['idempotency-key']));

  beforeAll(async () => {
    org = await createOrganization(app);
    waypost = proxy.get().client({ apiKey: org.apiKey, sleep });
  });
  beforeEach(() => {
    waits = [];
    meet();
  });

  it('make each of 1,000 creations exactly once, whatever happens on the way', async () => {
    const count = 1_000;
    let turn = 0;
    // Each call meets up to two faults before it gets through.
    const left = new Map<unknown, Fault[]>();
    proxy.get().fate = ({ headers }) => {
      const key = headers['idempotency-key'];
      const faults = left.get(key) ?? [
        ...(turn % 9 === 8 ? [] : [FAULTS[turn % 8] as Fault]),
        ...(turn % 3 === 0 ? [FAULTS[Math.floor(turn / 8) % 8] as Fault] : []),
      ];
      if (!left.has(key)) turn++;
      left.set(key, faults);
      return faults.shift() ?? null;
    };
    const urls = Array.from({ length: count }, (_, n) => `https://shop.example.com/${n}`);
    const queue = [...urls];
    const made: string[] = [];
    const worker = async () => {
      for (let url = queue.shift(); url; url = queue.shift()) {
        const link = await waypost.links.createShortUrl({ url });
        expect(link.originalUrl).toBe(url);
        made.push(link.shortUrl);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    proxy.get().fate = () => null;
    expect(calls().length).toBeGreaterThan(count * 1.8);
    const stored: string[] = [];
    for await (const link of waypost.links.listShortUrls()) stored.push(link.originalUrl);
    expect(stored.sort()).toEqual([...urls].sort());
    expect(new Set(made).size).toBe(count);
    expect(turn).toBe(count);
  });

  it('wait as Retry-After says, in seconds or as a date, and longer each time without it', async () => {
    meet({ refuse: 429, retryAfter: '7' });
    await waypost.links.listShortUrls();
    expect(waits).toEqual([7_000]);

    waits = [];
    meet({ refuse: 503, retryAfter: new Date(Date.now() + 30_000).toUTCString() });
    await waypost.links.listShortUrls();
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(15_000);
    expect(waits[0]).toBeLessThanOrEqual(30_000);

    waits = [];
    meet({ refuse: 503 }, { cut: 'after' }, { refuse: 502 }, { cut: 'before' });
    await waypost.links.listShortUrls({}, { maxRetries: 4 });
    const bounds = [500, 1_000, 2_000, 4_000];
    expect(waits).toHaveLength(4);
    for (const [i, bound] of bounds.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(bound / 2);
      expect(waits[i]).toBeLessThanOrEqual(bound);
    }
  });

  it('end after maxRetries, with the last error', async () => {
    meet(...Array.from({ length: 9 }, (): Fault => ({ refuse: 429, retryAfter: '1' })));
    const error: unknown = await waypost.links.listShortUrls().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaypostRateLimited);
    expect(error).toMatchObject({ status: 429, retryAfter: 1 });
    expect(calls()).toHaveLength(3);

    const once = proxy.get().client({ apiKey: org.apiKey, sleep, maxRetries: 0 });
    meet({ cut: 'before' });
    await expect(once.links.listShortUrls()).rejects.toThrow(WaypostConnectionError);
    expect(calls()).toHaveLength(1);

    meet({ refuse: 503, retryAfter: '3600' });
    await expect(waypost.links.listShortUrls()).rejects.toThrow(WaypostServerError);
    expect(calls()).toHaveLength(1);
  });

  it('send one Idempotency-Key a call, or the one given', async () => {
    meet({ refuse: 503 }, { cut: 'after' });
    await waypost.links.createShortUrl({ url: 'https://shop.example.com/a' });
    expect(calls()).toHaveLength(3);
    expect([...keys()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);

    const given = { idempotencyKey: 'order-1001' };
    const first = await waypost.links.createShortUrl({ url: 'https://shop.example.com/b' }, given);
    meet();
    expect(await waypost.links.createShortUrl({ url: 'https://shop.example.com/b' }, given)).toEqual(first);
    expect([...keys()]).toEqual(['order-1001']);
  });

  it('wait for a first attempt that is still running', async () => {
    const body = JSON.stringify({
      status: 409,
      error: 'Conflict',
      code: 'IDEMPOTENCY_IN_PROGRESS',
      message: 'A request with this Idempotency-Key is still running',
    });
    let asked = 0;
    const server = createServer((request, response) => {
      request.resume();
      asked++;
      if (asked % 6 !== 0) response.writeHead(409, { 'Retry-After': '1' }).end(body);
      else response.writeHead(201).end('{"id":1}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = new Waypost({ baseUrl, apiKey: 'k', sleep });
    expect(await client.links.createShortUrl({ url: 'https://shop.example.com/' })).toEqual({ id: 1 });
    expect(waits).toEqual(Array(5).fill(1_000));
    const once = client.links.createShortUrl({ url: 'https://shop.example.com/' }, { maxRetries: 0 });
    await expect(once).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS', retryAfter: 1 });
    await new Promise((done) => server.close(done));
  });

  it('leave alone what may have been done and would be done twice', async () => {
    const { id, apiKey: key } = await registerApp(org, { platform: 'Android' });
    const shop = proxy.get().client({ app: { id, key }, sleep });
    for (const fault of [{ cut: 'before' }, { cut: 'after' }, { refuse: 503, retryAfter: '1' }] as const) {
      meet(fault);
      await expect(shop.sessions.createSession({ platform: 'WEB' })).rejects.toThrow();
      expect(calls()).toHaveLength(1);
    }
    meet({ refuse: 429, retryAfter: '1' });
    await shop.sessions.createSession({ platform: 'WEB' });
    expect(calls()).toHaveLength(2);

    const link = await waypost.links.createShortUrl({ url: 'https://shop.example.com/c' });
    meet({ cut: 'after' });
    const change = waypost.links.updateShortUrl({ id: link.id, title: 'New', ifMatch: '*' });
    await expect(change).rejects.toThrow(WaypostConnectionError);
    expect(calls()).toHaveLength(1);

    const closed = new Waypost({ baseUrl: await closedPort(), app: { id, key }, sleep });
    waits = [];
    await expect(closed.sessions.createSession({ platform: 'WEB' })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      status: undefined,
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(waits).toHaveLength(2);
  });

  it('delete and change once more what was deleted and changed when the answer was lost', async () => {
    const link = await waypost.links.createShortUrl({ url: 'https://shop.example.com/d' });
    meet({ cut: 'after' });
    expect(await waypost.links.updateShortUrl({ id: link.id, title: 'D' })).toMatchObject({ title: 'D' });
    meet({ cut: 'after' });
    await waypost.links.deleteShortUrl({ id: link.id });
    expect(calls()).toHaveLength(2);
    meet();
    await expect(waypost.links.deleteShortUrl({ id: link.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('send a file again, but not a stream', async () => {
    const file = 'url\r\nhttps://shop.example.com/e\r\n';
    for (const given of [file, new Blob([file])]) {
      meet({ cut: 'after' });
      expect(await waypost.links.importShortUrls({ file: given })).toMatchObject({ created: 1 });
      expect(calls()).toHaveLength(2);
    }
    meet({ refuse: 503 });
    await expect(waypost.links.importShortUrls({ file: new Blob([file]).stream() })).rejects.toThrow();
    expect(calls()).toHaveLength(1);
    expect([...keys()]).toEqual([undefined]);
  });

  it('send a file without Idempotency-Key, and once, if it is larger than those with one may be', async () => {
    const large = new Blob(['url\r\n', 'x'.repeat(5 * 1024 * 1024)]);
    meet({ cut: 'before' });
    await expect(waypost.links.importShortUrls({ file: large })).rejects.toThrow(WaypostConnectionError);
    expect(calls()).toHaveLength(1);
    expect([...keys()]).toEqual([undefined]);
    meet({ refuse: 429 });
    await expect(waypost.links.importShortUrls({ file: large })).rejects.toThrow(WaypostBadRequest);
    expect(calls()).toHaveLength(2);
  });
});

/** An origin where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

describe('Time-outs and signals', () => {
  /** Answers what `answer` says; by default never. */
  const server = createServer((_, response) => answer?.(response));
  let answer: ((response: ServerResponse) => void) | undefined;
  let waypost: Waypost;
  let waits = 0;

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sleep = async () => {
      waits++;
    };
    waypost = new Waypost({ baseUrl, apiKey: 'k', timeout: 50, sleep });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  beforeEach(() => {
    answer = undefined;
    waits = 0;
  });

  it('end an attempt that has no answer, or not all of it, in time', async () => {
    await expect(waypost.links.listShortUrls()).rejects.toThrow(WaypostTimeout);
    expect(waits).toBe(2);
    answer = (response) => response.writeHead(200).write('{"content"');
    await expect(waypost.links.listShortUrls({}, { timeout: 30, maxRetries: 0 })).rejects.toMatchObject({
      code: 'TIMED_OUT',
      message: 'No answer within 30 ms',
    });
    expect(waits).toBe(2);
  });

  it('end a call when its signal aborts, with its reason', async () => {
    const reason = new Error('The visitor has left');
    const aborted = new AbortController();
    const call = waypost.links.getShortUrl({ id: 1 }, { signal: aborted.signal, timeout: 60_000 });
    aborted.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(waypost.links.getShortUrl({ id: 1 }, { signal: aborted.signal })).rejects.toBe(reason);
    expect(waits).toBe(0);
  });

  it('end a wait when the signal aborts', async () => {
    const aborted = new AbortController();
    const { port } = server.address() as AddressInfo;
    answer = (response) => {
      response.writeHead(429, { 'Retry-After': '60' }).end('{}');
      setImmediate(() => aborted.abort());
    };
    const patient = new Waypost({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' });
    await expect(patient.links.listShortUrls({}, { signal: aborted.signal })).rejects.toThrow('aborted');
  });

  it('say when an answer is not of the API', async () => {
    answer = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>');
    await expect(waypost.links.listShortUrls()).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
    answer = (response) => response.writeHead(301, { Location: 'https://other.example/' }).end();
    await expect(waypost.links.listShortUrls()).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
      status: 301,
      message: 'The service redirects elsewhere: correct baseUrl',
    });
    expect(waits).toBe(0);
  });
});
