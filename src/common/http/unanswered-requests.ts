import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Unanswered requests per connection (docs/operations.md#connections-and-memory). */
const MAX_UNANSWERED = 16;
/** Length of the shortest request head: `GET / HTTP/1.1` and the blank line. */
const SHORTEST_HEAD = 18;
const HEAD_END = Buffer.from('\r\n\r\n');

type Connect = (socket: Socket) => void;
type Feed = (chunk: Buffer) => void;

/**
 * Pauses reading a connection with too many unanswered requests, which node:http would go on buffering.
 * @param server not listening yet
 */
export function limitUnanswered(server: Server): void {
  const [connect] = server.listeners('connection') as Connect[];
  if (!connect) throw new Error('This version of node:http accepts connections differently');
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

/**
 * A connection accepted by node:http. Data is passed on one request at a time, because the parser can only be paused
 * between chunks.
 */
class PipelinedConnection {
  private unanswered = 0;
  private held = false;
  private readonly feed: Feed;

  constructor(
    private readonly socket: Socket,
    private readonly resumption: Resumption,
  ) {
    const [feed] = socket.listeners('data') as Feed[];
    if (!feed) throw new Error('This version of node:http reads connections differently');
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
      // node:http has paused the socket, and its parser must not receive data until it resumes.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      const end = endOfPiece(chunk, at);
      this.feed.call(socket, chunk.subarray(at, end));
      at = end;
    }
  }

  /** Resumes reading, unless node:http has paused the socket. */
  resume(): void {
    if (this.held) this.socket.resume();
  }

  private answered(): void {
    this.unanswered--;
    if (this.held && this.unanswered === MAX_UNANSWERED - 1) this.resumption.add(this);
  }
}

/** Queue of connections to resume, one per turn of the event loop, so that others are served in between. */
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

/** The end of a piece of the chunk with at most one request head. */
function endOfPiece(chunk: Buffer, at: number): number {
  const headEnd = chunk.indexOf(HEAD_END, at + SHORTEST_HEAD - HEAD_END.length);
  return headEnd === -1 ? chunk.length : headEnd + HEAD_END.length;
}
