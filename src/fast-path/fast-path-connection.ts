import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Peer, PlainRequest } from './plain-request';
import type { RedirectHead } from './redirect-head';

/** @returns whether it handles the request, for which it calls `redirect` or `respond` exactly once */
export type RequestHandler = (request: PlainRequest, connection: FastPathConnection) => boolean;

/** How long a new connection may wait for its first request before node:http takes over. */
const FRESH_MS = 5_000;

interface Owner {
  readonly keepAliveMs: number;
  readonly head: RedirectHead;
  take: RequestHandler;
  /** Passes the socket to node:http. */
  handOver: (connection: FastPathConnection) => void;
}

/** A connection that has only received plain requests, one at a time. */
export class FastPathConnection {
  private request: PlainRequest | null = null;
  /** Data that has arrived since. */
  private held: Buffer | null = null;
  private fresh = true;
  /** Whether the client has half-closed the connection while waiting for the response. */
  private ended = false;
  /** Cached, because every request needs it. */
  private readonly peer: Peer;

  private readonly listeners = {
    data: (chunk: Buffer) => this.read(chunk),
    end: () => this.onEnd(),
    timeout: () => this.onIdle(),
    // An error is followed by `close`.
    error: () => undefined,
  };

  constructor(
    readonly socket: Socket,
    private readonly owner: Owner,
  ) {
    this.peer = { remoteAddress: socket.remoteAddress };
    for (const [event, listener] of Object.entries(this.listeners)) socket.on(event, listener);
    socket.setTimeout(FRESH_MS);
  }

  /** Answers with 302. @param location printable ASCII, valid in a header */
  redirect(location: string): void {
    const last = this.request?.last ?? true;
    if (this.socket.writable) this.socket.write(this.owner.head.of(location, last), 'latin1');
    this.answered(last);
  }

  respond(listener: (request: IncomingMessage, response: ServerResponse) => void): void {
    if (!this.request || this.socket.destroyed) return;
    const message = this.request.toMessage(this.socket);
    const response = new ServerResponse(message);
    if (this.request.last) response.shouldKeepAlive = false;
    else response.setHeader('Keep-Alive', this.owner.head.keepAlive);
    response.assignSocket(this.socket);
    response.once('finish', () => {
      response.detachSocket(this.socket);
      this.answered(!response.shouldKeepAlive);
    });
    listener(message, response);
  }

  /** Closes the connection if it is idle and the client has received the last response. */
  closeIfIdle(): void {
    if (!this.request) this.socket.destroySoon();
  }

  private read(chunk: Buffer): void {
    if (this.request) {
      // A pipelined request makes node:http take over, which keeps responses in order.
      this.held = chunk;
      this.socket.pause();
      return;
    }
    if (this.fresh) this.socket.setTimeout(this.owner.keepAliveMs);
    this.fresh = false;
    this.request = this.socket.writableNeedDrain ? null : PlainRequest.read(chunk, this.peer);
    if (this.request && this.owner.take(this.request, this)) return;
    this.request = null;
    this.handOver(chunk);
  }

  private answered(last: boolean): void {
    this.request = null;
    if (last) this.socket.destroySoon();
    else if (this.held) this.handOver(this.held);
    else if (this.ended) this.socket.end();
  }

  private onEnd(): void {
    this.ended = true;
    if (!this.request) this.socket.end();
  }

  private onIdle(): void {
    // Browsers open connections ahead of a request; node:http has a timeout for those.
    if (this.fresh) this.handOver(null);
    else if (!this.request) this.socket.destroy();
  }

  private handOver(unread: Buffer | null): void {
    const { socket } = this;
    for (const [event, listener] of Object.entries(this.listeners)) socket.off(event, listener);
    socket.setTimeout(0);
    if (unread) {
      socket.pause();
      socket.unshift(unread);
    }
    this.owner.handOver(this);
    if (unread) process.nextTick(() => socket.resume());
  }
}
