import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that may wait for their answers at once (docs/operations.md#connections-and-memory). */
const MAX_UNANSWERED = 16;
/** `GET / HTTP/1.1` and the blank line behind it. */
const SHORTEST_HEAD = 18;
const HEAD_END = Buffer.from('\r\n\r\n');

type Connect = (socket: Socket) => void;
type Feed = (chunk: Buffer) => void;

/**
 * Stops reading a connection on which too many requests wait for their answers. node:http reads on while answers are
 * made, and keeps every request that has come in.
 * @param server one that does not listen yet
 */
export function limitUnanswered(server: Server): void {
  const [connect] = server.listeners('connection') as Connect[];
  if (!connect) throw new Error('node:http takes connections in another way');
  const connections = new WeakMap<Socket, PipelinedConnection>();
  const resumption = new Resumption();
  const count = ({ socket }: IncomingMessage, response: ServerResponse) =>
    connections.get(socket)?.count(response);
  server.removeListener('connection', connect);
  server.on('connection', (socket: Socket) => {
    connect.call(server, socket);
    connections.set(socket, new PipelinedConnection(socket, resumption));
  });
  server.prependListener('request', count);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    count(request, response);
    response.writeHead(417).end();
  });
}

/** A connection that node:http has taken. Its parser gets one request at a time, as it stops at the end of a chunk only. */
class PipelinedConnection {
  private unanswered = 0;
  private held = false;
  private readonly feed: Feed;

  constructor(
    private readonly socket: Socket,
    private readonly resumption: Resumption,
  ) {
    const [feed] = socket.listeners('data') as Feed[];
    if (!feed) throw new Error('node:http reads connections in another way');
    this.feed = feed;
    socket.removeListener('data', feed);
    socket.on('data', (chunk: Buffer) => this.read(chunk));
  }

  count(response: ServerResponse): void {
    this.unanswered++;
    response.once('finish', () => this.answered());
  }

  private read(chunk: Buffer): void {
    const { socket } = this;
    this.held = false;
    let at = 0;
    while (at < chunk.length && !socket.destroyed) {
      if (this.unanswered >= MAX_UNANSWERED && !socket.isPaused()) {
        socket.pause();
        this.held = true;
      }
      // node:http pauses it too, and its parser must have nothing until it goes on by itself.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      const end = endOfPiece(chunk, at);
      this.feed.call(socket, chunk.subarray(at, end));
      at = end;
    }
  }

  /** Unless it has gone on by itself: node:http may have paused it since. */
  resume(): void {
    if (this.held) this.socket.resume();
  }

  private answered(): void {
    this.unanswered--;
    if (this.held && this.unanswered === MAX_UNANSWERED - 1) this.resumption.add(this);
  }
}

/** Connections that may be read again: one in a turn of the event loop, so that everybody else is answered between. */
class Resumption {
  private readonly waiting: PipelinedConnection[] = [];

  add(connection: PipelinedConnection): void {
    this.waiting.push(connection);
    if (this.waiting.length === 1) setImmediate(() => this.run());
  }

  private run(): void {
    this.waiting.shift()?.resume();
    if (this.waiting.length > 0) setImmediate(() => this.run());
  }
}

/** Where a piece ends that has one head at most. */
function endOfPiece(chunk: Buffer, at: number): number {
  const headEnd = chunk.indexOf(HEAD_END, at + SHORTEST_HEAD - HEAD_END.length);
  return headEnd === -1 ? chunk.length : headEnd + HEAD_END.length;
}
