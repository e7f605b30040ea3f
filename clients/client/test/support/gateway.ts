import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Waypost, type WaypostOptions } from '@waypost/client';
import { API_HOST, type TestApp } from '../../../../test/support/test-app';

/** What may happen to a call between a client and the service. */
export type Fault =
  /** Refused before the service gets it, with Retry-After in seconds or as a date. */
  | { readonly refuse: number; readonly retryAfter?: string }
  /** The connection is cut before the service gets it, after it has answered, or within its answer. */
  | { readonly cut: 'before' | 'after' | 'within' }
  /** The service gets it twice, and the client the second answer. */
  | { readonly repeat: true };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

/** A proxy between clients and the application, which calls it by the name of its API host. */
export class Gateway {
  readonly calls: Call[] = [];
  /** Chooses the fate of a call. */
  fate: (call: Call) => Fault | null = () => null;

  private constructor(
    private readonly app: TestApp,
    private readonly server: Server,
  ) {}

  static async start(app: TestApp): Promise<Gateway> {
    const server = createServer((incoming, response) => gateway.handle(incoming, response));
    const gateway = new Gateway(app, server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  client(options: Omit<WaypostOptions, 'baseUrl'>): Waypost {
    return new Waypost({ baseUrl: this.url, ...options });
  }

  /** Cuts all connections. */
  disconnect(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.disconnect();
    await new Promise((done) => this.server.close(done));
  }

  private handle(incoming: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = incoming;
    const call = { method, path, headers };
    this.calls.push(call);
    const fault = this.fate(call);
    if (fault === null) this.stream(call, incoming, response);
    else void this.spoil(fault, call, incoming, response);
  }

  private stream(call: Call, incoming: IncomingMessage, response: ServerResponse): void {
    const outgoing = this.open(call, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  private async spoil(
    fault: Fault,
    call: Call,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if ('refuse' in fault) {
      const retryAfter = fault.retryAfter === undefined ? {} : { 'Retry-After': fault.retryAfter };
      response.writeHead(fault.refuse, retryAfter).end();
      return;
    }
    if ('cut' in fault && fault.cut === 'before') {
      incoming.socket.destroy();
      return;
    }
    const first = await this.send(call, body);
    const answer = 'repeat' in fault ? await this.send(call, body) : first;
    if ('cut' in fault && fault.cut === 'after') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(answer.status, answer.headers);
    if (!('cut' in fault)) {
      response.end(answer.body);
      return;
    }
    response.write(answer.body.subarray(0, answer.body.length / 2), () => incoming.socket.destroy());
  }

  private send(
    call: Call,
    body: Buffer,
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const outgoing = this.open(call, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 502,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      outgoing.on('error', reject).end(body);
    });
  }

  private open({ method, path, headers }: Call, answered: (answer: IncomingMessage) => void) {
    const options = { method, path, headers: { ...headers, host: API_HOST } };
    return request(new URL(path, this.app.url), options, answered);
  }
}

/** The gateway of a suite, started before its tests and closed after them. Call it where hooks are declared. */
export function useGateway(app: TestApp): { get(): Gateway } {
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    gateway = await Gateway.start(app);
  });
  afterAll(() => gateway?.close());
  return {
    get() {
      if (!gateway) throw new Error('The gateway starts in beforeAll');
      return gateway;
    },
  };
}
