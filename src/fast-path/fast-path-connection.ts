import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Peer, PlainRequest } from './plain-request';
import type { RedirectHead } from './redirect-head';

/**
 * Returns whether it handles the plain request; if so, it calls `redirect` or `respond` of the connection
 * exactly once.
 */
export type RequestHandler = (request: PlainRequest, connection: FastPathConnection) => boolean;

/** Time for the first request to arrive before the connection goes to node:http. */
const FRESH_MS = 5_000;

interface Owner {
  /** Maximum idle time between two requests. */
  readonly keepAliveMs: number;
  readonly head: RedirectHead;
  take: RequestHandler;
  /** Hands the socket over to node:http. */
  handOver: (connection: FastPathConnection) => void;
}

/** A connection that has only received plain requests, one after the other. */
export class FastPathConnection {
  /** The request that is being answered. */
  private request: PlainRequest | null = null;
  /** Data that arrived after it. */
  private held: Buffer | null = null;
  private fresh = true;
  /** Whether the client has ended its side while waiting for its response. */
  private ended = false;
  /** Read once per connection, because every request needs it. */
  private readonly peer: Peer;

  private readonly listeners = {
    data: (chunk: Buffer) => this.read(chunk),
    end: () => this.onEnd(),
    timeout: () => this.onIdle(),
    // A lost connection: 'close' follows.
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

  /** Answers the request with a listener of node:http. */
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

  /** Closes the connection if it is idle, once the client has its last response. */
  closeIfIdle(): void {
    if (!this.request) this.socket.destroySoon();
  }

  private read(chunk: Buffer): void {
    if (this.request) {
      // Pipelined requests go to node:http, which keeps responses in order.
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
    // Browsers connect before their first request; node:http has the timeout for that.
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
