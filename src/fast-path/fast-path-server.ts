import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastPathConnection, type RequestHandler } from './fast-path-connection';
import type { PlainRequest } from './plain-request';
import { RedirectHead } from './redirect-head';

/**
 * Stands before node:http on the connections of a server, as what that does for a request costs more than a redirect.
 * It reads plain requests itself; a connection on which anything else comes in is node:http's from then on.
 */
export class FastPathServer {
  readonly keepAliveMs: number;
  readonly head: RedirectHead;
  private readonly connections = new Set<FastPathConnection>();
  private readonly accept: (socket: Socket) => void;
  private stopped = false;

  /** @param server one that does not listen yet, and whose timeouts are set */
  constructor(
    server: Server,
    private readonly taker: RequestHandler,
  ) {
    const [accept] = server.listeners('connection') as ((socket: Socket) => void)[];
    if (!accept) throw new Error('node:http takes connections in another way');
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

  /** From now on node:http reads every request. */
  stop(): void {
    this.stopped = true;
  }

  /** Ends the connections that carry no request. */
  closeIdle(): void {
    for (const connection of this.connections) connection.closeIfIdle();
  }

  /** Ends all connections. */
  closeAll(): void {
    for (const connection of this.connections) connection.socket.destroy();
  }

  private add(socket: Socket): void {
    const connection = new FastPathConnection(socket, this);
    this.connections.add(connection);
    socket.once('close', () => this.connections.delete(connection));
  }
}
