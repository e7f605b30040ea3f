import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { API_HOST, type TestApp } from '../../../../test/support/test-app';

export interface SeenCall {
  method: string;
  /** Path below `/api/v1`, without its query. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/** What happens to a call: a status, `cut` before Waypost sees it, or `lost` after Waypost has answered. */
export type Fault = number | 'cut' | 'lost' | null;

const PER_CALL_MS = 250;

/** The network between phones and the service, with its faults. */
export class Gateway {
  readonly calls: SeenCall[] = [];
  /** Decides what happens to a call. */
  fault: (call: SeenCall) => Fault = () => null;
  /** The address from which phones call. */
  ip = '203.0.113.7';

  private constructor(
    private readonly app: TestApp,
    private readonly server: Server,
  ) {}

  static async start(app: TestApp): Promise<Gateway> {
    const server = createServer();
    const gateway = new Gateway(app, server);
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      gateway.pass(incoming, response).catch(() => response.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(path: string): SeenCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(incoming);
    const url = new URL(incoming.url ?? '', this.url);
    const { method = '', headers } = incoming;
    const body = sent.length > 0 ? (JSON.parse(sent.toString()) as Record<string, unknown>) : {};
    const path = url.pathname.replace('/api/v1', '');
    const call = { method, path, query: url.searchParams, body, headers };
    this.calls.push(call);
    const fault = this.fault(call);
    if (fault === 'cut') return void incoming.socket.destroy();
    if (typeof fault === 'number') {
      const retry: Record<string, string> = fault === 429 ? { 'Retry-After': '1' } : {};
      const refusal = { status: fault, error: 'Some', code: 'SOME_CODE', message: 'A fault of the test' };
      response.writeHead(fault, { 'Content-Type': 'application/json', ...retry });
      return void response.end(JSON.stringify(refusal));
    }
    // Apps have a limit of calls a minute.
    this.app.clock.advance(PER_CALL_MS);
    const answer = await this.forward(incoming, sent);
    const text = await buffer(answer);
    if (fault === 'lost') return void incoming.socket.destroy();
    response.writeHead(answer.statusCode ?? 500, answer.headers).end(text);
  }

  private forward(incoming: IncomingMessage, sent: Buffer): Promise<IncomingMessage> {
    const headers = { ...incoming.headers, host: API_HOST, 'x-forwarded-for': this.ip };
    return new Promise((resolve, reject) => {
      const target = `${this.app.url}${incoming.url ?? ''}`;
      const outgoing = request(target, { method: incoming.method, headers }, resolve);
      outgoing.on('error', reject).end(sent);
    });
  }
}
