import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastPathConnection, type RequestHandler } from './fast-path-connection';
import type { PlainRequest } from './plain-request';
import { RedirectHead } from './redirect-head';

/**
 * Handles plain requests in front of node:http, whose overhead per request exceeds the cost of a redirect. A connection
 * that sends anything else is passed to node:http for good.
 */
export class FastPathServer {
  readonly keepAliveMs: number;
  readonly head: RedirectHead;
  private readonly connections = new Set<FastPathConnection>();
  private readonly accept: (socket: Socket) => void;
  private stopped = false;

  /** @param server not listening yet, with its timeouts set */
  constructor(
    server: Server,
    private readonly taker: RequestHandler,
  ) {
    const [accept] = server.listeners('connection') as ((socket: Socket) => void)[];
    if (!accept) throw new Error('This version of node:http accepts connections differently');
    this.accept = accept.bind(server);
    this.keepAliveMs = server.keepAliveTimeout;
    this.head = new RedirectHead(this.keepAliveMs);
    server.removeListener('connection', accept);
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  take(request: PlainRequest, connection: FastPathConnection): boolean {
    return !this.stopped && this.taker(request, connection);
  }

  handOver(connection: FastPathConnection): void {
    this.connections.delete(connection);
    this.accept(connection.socket);
  }

  /** Leaves further requests to node:http. */
  stop(): void {
    this.stopped = true;
  }

  closeIdle(): void {
    for (const connection of this.connections) connection.closeIfIdle();
  }

  closeAll(): void {
    for (const connection of this.connections) connection.socket.destroy();
  }

  private add(socket: Socket): void {
    const connection = new FastPathConnection(socket, this);
    this.connections.add(connection);
    socket.once('close', () => this.connections.delete(connection));
  }
}
