import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

const PACKAGE = resolve(__dirname, '../../clients/web');
const SDK = join(PACKAGE, 'dist/waypost.js');
/** Version of the SDK built from this source. */
export const { version: SDK_VERSION } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  version: string;
};
const API = '/api/v1/cross-platform';

/** A call of the SDK received by the shop's server. */
export interface SdkCall {
  /** Path below `/api/v1/cross-platform`, or below `/api/v1/sdk/web` for calls without a key. */
  path: string;
  body: Record<string, unknown>;
  sessionId: string | undefined;
}

/** A response that is not Waypost's: of a login page, a firewall, another API. */
interface Stranger {
  status: number;
  /** A string is sent as an HTML page. */
  body: string | object;
}

type Fault = 'down' | 'lost' | number | Stranger;

/** A customer's web site with a page, and a proxy that records calls and responds like Waypost. */
export class Shop {
  readonly calls: SdkCall[] = [];
  /** Injected fault: calls do not arrive, responses are lost, Waypost refuses, or something else responds. */
  fault: Fault | null = null;
  /** Seconds after which a fault that is a status asks to be tried again. */
  retryAfter: number | null = null;
  /** Consents of the member that Waypost has stored. */
  consents: { pushOptIn?: boolean; pushAdOptIn?: boolean } = {};
  /** The app whose key the proxy has. */
  appId = 42;
  /** A code and token for which no link exists. */
  readonly unknownCode = 'unknown';
  /** Fields of a session's link. */
  link = { urlId: 7, campaignId: null, goalType: 'subscribe' as string | null };
  /** A member that the proxy refuses. */
  readonly stranger = 'stranger';
  /** Sessions that the server has forgotten. */
  readonly forgotten = new Set<string | undefined>();
  /** Members by session. */
  private readonly members = new Map<string | undefined, unknown>();
  /** Number of calls affected by a fault. */
  refused = 0;
  private sessions = 0;

  private server?: Server;
  private readonly site = express();

  /** @param proxy replaces the built-in one, which responds like Waypost */
  constructor(proxy?: RequestHandler) {
    const { site } = this;
    site.get('/waypost.js', (_request, response) => {
      response.type('js').send(readFileSync(SDK));
    });
    if (proxy)
      site.use('/waypost', (request, response, next) => this.letThrough(request, response, next), proxy);
    // Beacons have a text content type, but contain JSON.
    site.use(express.json({ type: () => true }));
    site.post('/api/v1/sdk/web/*path', (request, response) => {
      this.calls.push({
        path: request.path.slice('/api/v1/sdk/web'.length),
        body: request.body,
        sessionId: undefined,
      });
      response.json({ status: 'success' });
    });
    site.all(`/waypost${API}/*path`, (request, response) => this.answer(request, response));
    site.get('/{*path}', (_request, response) => {
      response.send('<!doctype html><title>Shop</title><script src="/waypost.js"></script>');
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((done) => {
      this.server = this.site.listen(0, '127.0.0.1', () => done());
    });
    return this;
  }

  get port(): number {
    return (this.server?.address() as AddressInfo).port;
  }

  /** An origin that browsers treat as a secure context, as with TLS. */
  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Calls to a path, in order. */
  of(path: string): SdkCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  bodiesOf(path: string): Record<string, unknown>[] {
    return this.of(path).map(({ body }) => body);
  }

  reset(): void {
    this.calls.length = 0;
    this.fault = null;
    this.retryAfter = null;
    this.consents = {};
    this.refused = 0;
    this.appId = 42;
    this.link = { urlId: 7, campaignId: null, goalType: 'subscribe' };
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done));
  }

  private answer(request: Request, response: Response): void {
    const path = request.path.slice(`/waypost${API}`.length);
    const body = (request.body ?? {}) as Record<string, unknown>;
    if (this.fails(response)) return;
    const [, sessionId] = /^\/session\/(session-\d+)/.exec(path) ?? [undefined, body.sessionId as string];
    if (body.externalUserId === this.stranger) {
      response.status(403).json({ error: 'Not the member who is logged in' });
      return;
    }
    if (this.forgotten.has(sessionId)) {
      refuse(response, 404, 'Session not found');
      return;
    }
    if (body.shortCode === this.unknownCode) {
      refuse(response, 404, 'Link not found');
      return;
    }
    if (body.token === this.unknownCode) {
      refuse(response, 404, 'Token not found');
      return;
    }
    this.calls.push({ path: path.replace(/^\/session\/session-\d+/, '/session/:id'), body, sessionId });
    if (this.fault === 'lost') response.destroy();
    else response.json(this.bodyFor(path, body, sessionId));
  }

  /** Applies the fault to calls of a real proxy. */
  private letThrough(request: Request, response: Response, next: NextFunction): void {
    if (this.fails(response)) return;
    this.calls.push({ path: request.path.replace(API, ''), body: {}, sessionId: undefined });
    if (this.fault === 'lost') response.send = () => response.destroy();
    next();
  }

  private fails(response: Response): boolean {
    const { fault } = this;
    if (fault === null || fault === 'lost') return false;
    this.refused++;
    if (this.retryAfter !== null) response.set('Retry-After', String(this.retryAfter));
    if (fault === 'down') response.destroy();
    else if (typeof fault === 'number') refuse(response, fault, `fault ${String(fault)}`);
    else response.status(fault.status).send(fault.body);
    return true;
  }

  private bodyFor(path: string, body: Record<string, unknown>, sessionId: string | undefined): object {
    const { externalUserId = null } = body;
    const session = { urlId: null, campaignId: null, goalType: null };
    switch (path) {
      case '/session/create': {
        const isTied = body.urlId !== undefined || body.token !== undefined;
        const made = `session-${String(++this.sessions)}`;
        this.members.set(made, externalUserId);
        return {
          sessionId: made,
          appId: this.appId,
          externalUserId,
          ...(isTied ? this.link : session),
        };
      }
      case '/session/register-link':
        return { success: true, sessionId, ...this.link };
      case '/identify':
        return { success: true, action: 'created', externalUserId, ...this.consents };
      default:
        if (externalUserId !== null) this.members.set(sessionId, externalUserId);
        return {
          success: true,
          sessionId,
          externalUserId: externalUserId ?? this.members.get(sessionId) ?? null,
        };
    }
  }
}

/** Sends an error in Waypost's format. */
function refuse(response: Response, status: number, message: string): void {
  const code = status === 404 ? 'NOT_FOUND' : 'SOME_CODE';
  response.status(status).json({ status, error: 'Some', code, message, timestamp: '2026-11-20T08:32:00Z' });
}

/** Number of events that the server counts, which de-duplicates by session, time and type. */
export function distinct(calls: readonly SdkCall[]): number {
  const marks = calls.map(({ sessionId, body }) =>
    [sessionId, body.clientTimestamp, body.eventType].join(' '),
  );
  return new Set(marks).size;
}
