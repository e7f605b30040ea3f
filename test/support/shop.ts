import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import express, { type Request, type Response } from 'express';

const SDK = resolve(__dirname, '../../src/modules/sdk-web/browser/dist/waypost.js');
const API = '/api/v1/cross-platform';

/** A call of the SDK as the shop's server got it. */
export interface SdkCall {
  /** Below `/api/v1/cross-platform`, or `/api/v1/sdk/web` for those that need no key. */
  path: string;
  body: Record<string, unknown>;
  sessionId: string | undefined;
}

type Fault = 'down' | 'lost' | number;

/** A customer's web site with a page, and a proxy that writes down what it gets and answers as Waypost would. */
export class Shop {
  readonly calls: SdkCall[] = [];
  /** What the proxy does to calls: nothing reaches it, the answer is lost, or a status. */
  fault: Fault | null = null;
  /** What the link that a session is tied to says. */
  link = { urlId: 7, campaignId: null, goalType: 'subscribe' as string | null };
  /** Sessions that the server knows no more. */
  readonly forgotten = new Set<string | undefined>();
  private sessions = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Shop> {
    const site = express();
    const server = await new Promise<Server>((done) => {
      const listening = site.listen(0, '127.0.0.1', () => done(listening));
    });
    const shop = new Shop(server);
    site.get('/waypost.js', (_request, response) => {
      response.type('js').send(readFileSync(SDK));
    });
    // Beacons are text, and JSON all the same.
    site.use(express.json({ type: () => true }));
    site.post('/api/v1/sdk/web/*path', (request, response) => {
      shop.calls.push({
        path: request.path.slice('/api/v1/sdk/web'.length),
        body: request.body,
        sessionId: undefined,
      });
      response.json({ status: 'success' });
    });
    site.all(`/waypost${API}/*path`, (request, response) => shop.answer(request, response));
    site.get('/{*path}', (_request, response) => {
      response.send('<!doctype html><title>Shop</title><script src="/waypost.js"></script>');
    });
    return shop;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** A secure context, as pages with TLS are. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Calls of a path, in their order. */
  of(path: string): SdkCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  bodiesOf(path: string): Record<string, unknown>[] {
    return this.of(path).map(({ body }) => body);
  }

  reset(): void {
    this.calls.length = 0;
    this.fault = null;
    this.link = { urlId: 7, campaignId: null, goalType: 'subscribe' };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: Request, response: Response): void {
    const path = request.path.slice(`/waypost${API}`.length);
    const body = (request.body ?? {}) as Record<string, unknown>;
    const { fault } = this;
    if (fault === 'down') {
      response.destroy();
      return;
    }
    if (typeof fault === 'number') {
      response.status(fault).json({ error: `fault ${String(fault)}` });
      return;
    }
    const [, sessionId] = /^\/session\/(session-\d+)/.exec(path) ?? [undefined, body.sessionId as string];
    if (this.forgotten.has(sessionId)) {
      response.status(404).json({ success: false, message: 'Session not found' });
      return;
    }
    this.calls.push({ path: path.replace(/^\/session\/session-\d+/, '/session/:id'), body, sessionId });
    if (fault === 'lost') response.destroy();
    else response.json(this.bodyFor(path, body, sessionId));
  }

  private bodyFor(path: string, body: Record<string, unknown>, sessionId: string | undefined): object {
    const { externalUserId = null } = body;
    const session = { urlId: null, campaignId: null, goalType: null };
    switch (path) {
      case '/session/create': {
        const isTied = body.urlId !== undefined || body.token !== undefined;
        return {
          sessionId: `session-${String(++this.sessions)}`,
          externalUserId,
          ...(isTied ? this.link : session),
        };
      }
      case '/session/register-link':
        return { success: true, sessionId, ...this.link };
      case '/identify':
        return { success: true, action: 'created', externalUserId };
      default:
        return { success: true, sessionId, externalUserId };
    }
  }
}
