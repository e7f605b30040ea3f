import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Peer, PlainRequest } from './plain-request';
import type { RedirectHead } from './redirect-head';

/** Whether a plain request was taken: who takes it calls `redirect` or `respond` of its connection, once. */
export type RequestHandler = (request: PlainRequest, connection: FastPathConnection) => boolean;

/** How long a client may say nothing at all before node:http has to deal with it. */
const FRESH_MS = 5_000;

interface Owner {
  /** How long a connection may be idle between two requests. */
  readonly keepAliveMs: number;
  readonly head: RedirectHead;
  take: RequestHandler;
  /** Gives the socket to node:http. */
  handOver: (connection: FastPathConnection) => void;
}

/** One connection, while all that came in on it were plain requests, one after the other. */
export class FastPathConnection {
  /** The request that is being answered. */
  private request: PlainRequest | null = null;
  /** What came in behind it. */
  private held: Buffer | null = null;
  private fresh = true;
  /** Whether the client has ended its side: it still waits for its answer. */
  private ended = false;
  /** Read once: it stays, and every request asks for it. */
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

  /** Answers with 302. @param location in the letters of a header: printable ASCII */
  redirect(location: string): void {
    const last = this.request?.last ?? true;
    if (this.socket.writable) this.socket.write(this.owner.head.of(location, last), 'latin1');
    this.answered(last);
  }

  /** Has the request answered as by a listener of node:http. */
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

  /** Ends a connection without a request, once the client has its last answer. */
  closeIfIdle(): void {
    if (!this.request) this.socket.destroySoon();
  }

  private read(chunk: Buffer): void {
    if (this.request) {
      // Answers keep the order of their requests: node:http has queues for that.
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
    // Browsers connect ahead of their first request: how long that may take is node:http's to say.
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
