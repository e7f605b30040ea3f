import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Domain of the sites. The part of a host before the first dash selects the behaviour. */
export const SITES = 'sites.test';

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

const answer =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    void response.writeHead(status, headers).end('text');
const unlessGet =
  (behaviour: Behaviour): Behaviour =>
  (request, response) =>
    (request.method === 'GET' ? answer(200) : behaviour)(request, response);
const raw =
  (text: string): Behaviour =>
  ({ socket }) =>
    void socket.end(text);
const redirect = (location: string): Behaviour => answer(302, { Location: location });
/** Redirects as often as the number in the path says. */
const chain: Behaviour = (request, response) => {
  const left = Number(request.url?.slice(1));
  (left > 0 ? redirect(`/${left - 1}`) : answer(200))(request, response);
};
const reset: Behaviour = ({ socket }) => void socket.resetAndDestroy();
const onlyGet =
  (behaviour: Behaviour): Behaviour =>
  (request, response) =>
    (request.method === 'GET' ? behaviour : answer(405))(request, response);
const every =
  (milliseconds: number, chunk: Buffer): Behaviour =>
  (_request, response) => {
    const timer = setInterval(() => response.write(chunk), milliseconds);
    response.on('close', () => clearInterval(timer));
  };

/** Behaviours with the problem that a check must find, or null. */
export const BEHAVIOURS: Readonly<Record<string, readonly [Behaviour, string | null]>> = {
  fine: [answer(200), null],
  empty: [answer(204), null],
  login: [answer(401), null],
  wall: [answer(403), null],
  busy: [answer(429), null],
  robots: [answer(999), null],
  moved: [redirect(`http://landing-1.${SITES}/`), null],
  landing: [answer(200), null],
  scheme: [redirect('shop://products/42'), null],
  port: [redirect(`http://landing-1.${SITES}:8080/`), null],
  head405: [unlessGet(answer(405)), null],
  head404: [unlessGet(answer(404)), null],
  head500: [unlessGet(answer(500)), null],
  headreset: [unlessGet(reset), null],
  headgarbage: [unlessGet(raw('no HTTP\r\n\r\n')), null],
  headsilent: [unlessGet(() => undefined), null],
  endless: [onlyGet(every(1, Buffer.alloc(65_536))), null],
  gone: [answer(410), 'NOT_FOUND'],
  missing: [answer(404), 'NOT_FOUND'],
  odd: [answer(418), 'CLIENT_ERROR'],
  broken: [answer(500), 'SERVER_ERROR'],
  away: [answer(503), 'SERVER_ERROR'],
  silent: [() => undefined, 'TIMEOUT'],
  late: [answer(408), 'TIMEOUT'],
  drip: [onlyGet(every(20, Buffer.from('.'))), 'TIMEOUT'],
  reset: [reset, 'CONNECTION'],
  nothing: [raw(''), 'CONNECTION'],
  garbage: [raw('SSH-2.0-OpenSSH_9.9\r\n'), 'BAD_ANSWER'],
  headers: [raw(`HTTP/1.1 200 OK\r\n${'X-A: bcde\r\n'.repeat(4_000)}\r\n`), 'BAD_ANSWER'],
  nowhere: [answer(302), 'BAD_ANSWER'],
  loop: [redirect('/'), 'REDIRECT_LOOP'],
  chain5: [chain, null],
  chain6: [chain, 'REDIRECT_LOOP'],
  loopback: [redirect('http://127.0.0.1/'), 'NOT_ALLOWED'],
  private: [redirect('http://private.evil.test/'), 'NOT_ALLOWED'],
  metadata: [redirect('http://169.254.169.254/latest/meta-data/'), 'NOT_ALLOWED'],
  tolocal: [redirect('http://localhost/'), 'NOT_ALLOWED'],
  tomissing: [redirect('http://missing.test/'), 'DNS'],
};

/** Behaviours that take all the time of a check, or much of the machine. */
export const SLOW: ReadonlySet<string> = new Set(['silent', 'headsilent', 'drip', 'endless']);

/** One server for all sites, which behaves according to the requested host. */
export class MisbehavingSites {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<MisbehavingSites> {
    const server = createServer((request, response) => {
      request.socket.on('error', () => undefined);
      const [behaviour] = BEHAVIOURS[request.headers.host?.split('-')[0] ?? ''] ?? [];
      behaviour?.(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new MisbehavingSites(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
