import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import net, { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { promisify } from 'node:util';
import type { OutgoingFailure, OutgoingRequest } from '../../src/common/outgoing/outgoing';
import { OutgoingClient } from '../../src/common/outgoing/outgoing-client';
import { CERTIFICATE } from '../support/certificate';
import { DnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { REFUSED_HOSTS, REFUSED_NAMES } from '../support/refused-hosts';

/** Stands for a public address; connections to it reach a server of the test. */
const INTERNET = '8.8.8.8';

/** Program that calls a server that never answers, collects memory, and prints how many calls ended. */
const COLLECTED_CALLS = `
  const { OutgoingClient } = require('./outgoing-client.js');
  const client = new OutgoingClient({ allowPrivate: true, dnsServers: [] });
  const { signal } = new AbortController();
  let ended = 0;
  const report = () => {
    console.log(ended + ' ended');
    process.exit();
  };
  for (let call = 0; call < 20; call++)
    client.request({ url: process.argv[1], timeoutMs: 300, signal }).finally(() => ++ended === 20 && report());
  setTimeout(gc, 100);
  setTimeout(report, 60_000);
`;

function listen(server: Server | net.Server, host = '127.0.0.1'): Promise<number> {
  return new Promise((done) => {
    server.listen(0, host, () => done((server.address() as AddressInfo).port));
  });
}

async function serve(listener: RequestListener): Promise<{ port: number; close: () => void }> {
  const server = createServer(listener);
  const port = await listen(server);
  return {
    port,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('The outgoing client', () => {
  let dns: DnsServer;
  /** Accepts and records connections on every address of this machine. */
  let trap: net.Server;
  let trapPort: number;
  let trapped = 0;
  const open: (() => void)[] = [];

  beforeAll(async () => {
    dns = await DnsServer.start();
    trap = createTcpServer((socket) => {
      trapped++;
      socket.resume().end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\ntrapped');
    });
    trapPort = await listen(trap, '::');
  });

  afterEach(() => {
    jest.restoreAllMocks();
    for (const close of open.splice(0)) close();
    trapped = 0;
  });

  afterAll(async () => {
    trap.close();
    await dns.close();
  });

  const guarded = () =>
    new OutgoingClient({ allowPrivate: false, dnsServers: [dns.address], ports: [80, 443, trapPort] });
  const free = () => new OutgoingClient({ allowPrivate: true, dnsServers: [dns.address] });
  const site = async (listener: RequestListener): Promise<string> => {
    const { port, close } = await serve(listener);
    open.push(close);
    return `http://127.0.0.1:${port}`;
  };

  /** Redirects connections for INTERNET to a server of the test. @returns the addresses tried */
  const internet = (port: number): (string | undefined)[] => {
    const tried: (string | undefined)[] = [];
    const connect = net.connect.bind(net) as (options: net.TcpNetConnectOpts) => net.Socket;
    jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
      tried.push(options.host);
      return connect(options.host === INTERNET ? { ...options, host: '127.0.0.1', port } : options);
    }) as typeof net.connect);
    return tried;
  };

  describe('refuses addresses that are not public', () => {
    beforeAll(() => {
      for (const [name, addresses] of Object.entries(REFUSED_NAMES)) dns.addresses(name, ...addresses);
    });

    it.each(REFUSED_HOSTS)('%s', async (host) => {
      const tried = internet(trapPort);
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${trapPort}/`;
        const result = await guarded().request({ url, timeoutMs: 60_000 });
        expect(result).toMatchObject({ ok: false, problem: 'NOT_ALLOWED' });
      }
      expect(tried).toEqual([]);
      expect(trapped).toBe(0);
    });

    it('which the trap would have recorded', async () => {
      for (const host of ['2130706433', '0.0.0.0', 'localhost', 'loopback.evil.test', '[::ffff:127.0.0.1]']) {
        const result = await free().request({ url: `http://${host}:${trapPort}/` });
        expect(result).toMatchObject({ ok: true, body: Buffer.from('trapped') });
      }
      expect(trapped).toBe(5);
    });

    it('after a redirect, too', async () => {
      const { port, close } = await serve((request, response) => {
        const target = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '';
        response.writeHead(302, { Location: target }).end();
      });
      open.push(close);
      const tried = internet(port);
      for (const host of ['127.0.0.1', '[::1]', '2130706433', 'private.evil.test', 'localhost']) {
        const to = `http://${host}:${trapPort}/`;
        const url = `http://${INTERNET}/?to=${encodeURIComponent(to)}`;
        expect(await guarded().request({ url, maxRedirects: 3 })).toMatchObject({ problem: 'NOT_ALLOWED' });
      }
      expect(tried).toEqual(Array<string>(5).fill(INTERNET));
      expect(trapped).toBe(0);
    });

    it('of a name that has others: only public ones are tried', async () => {
      dns.addresses('mixed.evil.test', '127.0.0.1', '10.0.0.1', INTERNET);
      const tried = internet(trapPort);
      expect(await guarded().request({ url: 'http://mixed.evil.test/' })).toMatchObject({ ok: true });
      expect(tried).toEqual([INTERNET]);
    });

    it('of a name that changes its address between check and connection, or between two calls', async () => {
      let asked = 0;
      dns.reply('rebinding.evil.test', (answer, { name, type }) => {
        const address = asked++ === 0 ? INTERNET : '127.0.0.1';
        if (type === 1) answer.answers.push({ name, type, class: 1, ttl: 0, address });
        else asked--;
        return undefined;
      });
      const tried = internet(trapPort);
      const url = `http://rebinding.evil.test:${trapPort}/`;
      expect(await guarded().request({ url })).toMatchObject({ ok: true });
      expect(await guarded().request({ url })).toMatchObject({ ok: false, problem: 'NOT_ALLOWED' });
      expect(tried).toEqual([INTERNET]);
    });
  });

  it.each([
    ['not a url', 'INVALID_URL'],
    ['', 'INVALID_URL'],
    ['//example.com/', 'INVALID_URL'],
    ['ftp://example.com/', 'INVALID_URL'],
    ['file:///etc/passwd', 'INVALID_URL'],
    ['javascript:alert(1)', 'INVALID_URL'],
    ['http://user@example.com/', 'INVALID_URL'],
    ['http://user:secret@example.com/', 'INVALID_URL'],
    ['http://example.com:99999/', 'INVALID_URL'],
    [`http://${INTERNET}:22/`, 'NOT_ALLOWED'],
    [`http://${INTERNET}:6379/`, 'NOT_ALLOWED'],
    ['http://missing.test/', 'HOST_NOT_FOUND'],
  ])('says of %j: %s', async (url, problem) => {
    const client = new OutgoingClient({ allowPrivate: false, dnsServers: [dns.address] });
    expect(await client.request({ url })).toMatchObject({ ok: false, problem });
  });

  it.each<Partial<OutgoingRequest>>([
    { headers: { 'X-Bad': 'a\r\nInjected: yes' } },
    { headers: { 'bad name': 'x' } },
    { headers: { 'Content-Length': '9' }, body: 'four', method: 'POST' },
  ])('reports unsendable requests as INVALID_REQUEST: %j', async (request) => {
    const url = await site((_, response) => response.end());
    expect(await free().request({ url, ...request })).toMatchObject({ problem: 'INVALID_REQUEST' });
  });

  it('sends method, headers and body, and returns status, headers and body', async () => {
    let body = '';
    const origin = await site((request, response) => {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(418, {
          'X-Seen': `${request.method} ${request.url} ${String(request.headers['x-a'])}`,
        });
        response.end('short and stout');
      });
    });
    const url = `${origin}/a?b=c#d`;
    const result = await free().request({ url, method: 'POST', headers: { 'X-A': '1' }, body: 'péng' });
    expect(result).toEqual({
      ok: true,
      status: 418,
      headers: expect.objectContaining({ 'x-seen': 'POST /a?b=c 1' }),
      body: Buffer.from('short and stout'),
      cut: false,
      url,
    });
    expect(body).toBe('péng');
  });

  describe('with redirects', () => {
    const chain: RequestListener = (request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { Location: `/${left - 1}` }).end();
      else response.end(`there ${request.headers.authorization ?? 'without'}`);
    };
    const headers = { Authorization: 'Bearer secret' };

    it('follows as many as configured, by default none', async () => {
      const url = await site(chain);
      expect(await free().request({ url: `${url}/2`, maxRedirects: 2, headers })).toMatchObject({
        status: 200,
        body: Buffer.from('there Bearer secret'),
        url: `${url}/0`,
      });
      expect(await free().request({ url: `${url}/3`, maxRedirects: 2 })).toMatchObject({
        problem: 'TOO_MANY_REDIRECTS',
      });
      expect(await free().request({ url: `${url}/1` })).toMatchObject({ status: 302 });
      expect(await free().request({ url: `${url}/1`, method: 'POST', maxRedirects: 2 })).toMatchObject({
        status: 302,
      });
    });

    it('keeps secrets from other hosts', async () => {
      const other = await site(chain);
      const url = await site((_, response) => response.writeHead(307, { Location: `${other}/0` }).end());
      expect(await free().request({ url, maxRedirects: 1, headers })).toMatchObject({
        body: Buffer.from('there without'),
      });
    });

    it.each(['ftp://x.test/', 'http://user:pass@127.0.0.1/', 'http://[', 'javascript:1'])(
      'does not follow %s',
      async (location) => {
        const url = await site((_, response) => response.writeHead(301, { Location: location }).end());
        expect(await free().request({ url, maxRedirects: 1 })).toMatchObject({ problem: 'INVALID_URL' });
      },
    );
  });

  describe('caps size and time', () => {
    it('at the last byte', async () => {
      const url = await site((_, response) => response.end(Buffer.alloc(1000, 'a')));
      expect(await free().request({ url, maxBytes: 1000 })).toMatchObject({ ok: true, cut: false });
      expect(await free().request({ url, maxBytes: 999 })).toMatchObject({ problem: 'TOO_LARGE' });
      const cut = await free().request({ url, maxBytes: 999, beyondMaxBytes: 'cut' });
      expect(cut).toMatchObject({ ok: true, cut: true, body: Buffer.alloc(999, 'a') });
    });

    it('of a body without an end', async () => {
      let closed = false;
      const url = await site((_, response) => {
        const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
        response.on('close', () => {
          clearInterval(timer);
          closed = true;
        });
      });
      expect(await free().request({ url })).toMatchObject({ problem: 'TOO_LARGE' });
      await eventually(async () => expect(closed).toBe(true));
    });

    it.each<[string, RequestListener]>([
      ['no answer', () => undefined],
      [
        'a body that drips',
        (_, response) => {
          const timer = setInterval(() => response.write('.'), 20);
          response.on('close', () => clearInterval(timer));
        },
      ],
      [
        'a header that drips',
        ({ socket }) => {
          socket.write('HTTP/1.1 200 OK\r\nX: ');
          const timer = setInterval(() => socket.write('x'), 20);
          socket.on('close', () => clearInterval(timer));
        },
      ],
    ])('of %s', async (_, listener) => {
      const url = await site(listener);
      expect(await free().request({ url, timeoutMs: 200 })).toMatchObject({ problem: 'TIMEOUT' });
    });

    it('of a name server that is silent, and of one that fails', async () => {
      dns.reply('silent.test', () => 'silence');
      dns.fails('broken.test', 2);
      const url = 'http://silent.test/';
      expect(await guarded().request({ url, timeoutMs: 200 })).toMatchObject({ problem: 'TIMEOUT' });
      expect(await guarded().request({ url: 'http://broken.test/' })).toMatchObject({
        problem: 'DNS_FAILED',
      });
    });

    it('does not wait for IPv6 once it has an IPv4 address', async () => {
      // A promise that stays pending, because a resolver gives up after seconds.
      const ipv6 = jest.spyOn(Resolver.prototype, 'resolve6').mockReturnValue(new Promise(() => undefined));
      dns.reply('half.test', (answer, { name }) => {
        answer.answers.push({ name, type: 1, class: 1, ttl: 1, address: '127.0.0.1' });
        return undefined;
      });
      const url = `http://half.test:${trapPort}/`;
      expect(await free().request({ url, timeoutMs: 60_000 })).toMatchObject({ ok: true });
      expect(ipv6).toHaveBeenCalledTimes(1);
    });
  });

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'BAD_ANSWER'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'X-A: bcde\r\n'.repeat(4_000)}\r\n`, 'BAD_ANSWER'],
    ['nothing at all', '', 'CONNECT_FAILED'],
    ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', 'CONNECT_FAILED'],
  ])('reports %s correctly', async (_, text, problem) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(text));
    });
    const port = await listen(server);
    open.push(() => server.close());
    const result = await free().request({ url: `http://127.0.0.1:${port}/` });
    expect(result).toMatchObject({ ok: false, problem });
  });

  it('continues with the next address of a host when one does not respond', async () => {
    dns.addresses('two.test', '127.0.0.2', '::1');
    const only6 = createServer((_, response) => response.end('six'));
    const port = await listen(only6, '::1');
    open.push(() => only6.close());
    const result = await free().request({ url: `http://two.test:${port}/` });
    expect(result).toMatchObject({ ok: true, body: Buffer.from('six') });
    const nobody = (await free().request({ url: 'http://127.0.0.1:1/' })) as OutgoingFailure;
    expect(nobody).toMatchObject({ ok: false, problem: 'CONNECT_FAILED' });
  });

  describe('over TLS', () => {
    let server: Server;
    let port: number;

    beforeAll(async () => {
      server = createTlsServer(CERTIFICATE, (_, response) => response.end('secure'));
      port = await listen(server);
      dns.addresses('shop.test', '127.0.0.1');
      dns.addresses('other.test', '127.0.0.1');
    });

    afterAll(() => server.close());

    it('requires a valid certificate for the requested name', async () => {
      const trusting = new OutgoingClient({
        allowPrivate: true,
        dnsServers: [dns.address],
        ca: CERTIFICATE.cert,
      });
      const url = `https://shop.test:${port}/`;
      expect(await trusting.request({ url })).toMatchObject({ ok: true, body: Buffer.from('secure') });
      for (const [client, target] of [
        [free(), url],
        [trusting, `https://other.test:${port}/`],
        [trusting, `https://127.0.0.1:${port}/`],
      ] as const) {
        expect(await client.request({ url: target })).toMatchObject({ ok: false, problem: 'TLS_FAILED' });
      }
    });
  });

  it('ends a call in time even if memory is collected meanwhile', async () => {
    const silent = createTcpServer((socket) => socket.resume());
    open.push(() => silent.close());
    const url = `http://127.0.0.1:${await listen(silent)}/`;
    // Optimized code lets go of what is not used any more; Node 20, whose fault this is, can optimize all of it.
    const flags = ['--expose-gc', ...(process.version.startsWith('v20.') ? ['--always-turbofan'] : [])];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', COLLECTED_CALLS, url], {
      cwd: 'dist/src/common/outgoing',
    });
    expect(stdout).toBe('20 ended\n');
  });
});
