import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body. */
  readonly raw: string;
  readonly body: {
    readonly event: string;
    readonly delivery_id: string;
    readonly organization_id: number;
    readonly created_at: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A customer's server that receives webhooks. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Sends the response; 204 by default. */
  answer: Answer = (_, response) => response.writeHead(204).end();

  private readonly server: Server;

  constructor(private readonly address = '127.0.0.1') {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const headers = request.headers as Record<string, string>;
        const body = JSON.parse(raw) as ReceivedWebhook['body'];
        this.received.push({ path: request.url ?? '', headers, raw, body });
        this.answer(request, response);
      });
    });
  }

  /** @param address to listen on */
  static async start(address?: string): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(address);
    await receiver.listen();
    return receiver;
  }

  listen(): Promise<void> {
    return new Promise((done) => this.server.listen(0, this.address, done));
  }

  get url(): string {
    return this.at('/hook?key=secret');
  }

  at(path: string): string {
    return `http://${this.address}:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** delivery_id of each delivery, in order of receipt. */
  get ids(): string[] {
    return this.received.map(({ body }) => body.delivery_id);
  }

  status(code: number, headers: Record<string, string> = {}, text = ''): void {
    this.answer = (_, response) => response.writeHead(code, headers).end(text);
  }

  reset(): void {
    this.received.length = 0;
    this.status(204);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** The receiver of a suite, which listens from before its tests until after them. */
export function useWebhookReceiver(): WebhookReceiver {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.listen());
  afterAll(() => receiver.close());
  return receiver;
}
