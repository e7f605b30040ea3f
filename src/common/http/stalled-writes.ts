import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a write may make no progress (docs/operations.md#connections-and-memory). */
const STALLED_MS = 30_000;
const LOOKS = 6;

/** What libuv knows of a socket: `bytesWritten` of the socket counts a write when it begins. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** A write that was under way at the last look. */
interface Write {
  /** Bytes that the kernel had taken. */
  sent: number;
  looks: number;
}

/**
 * Ends connections whose clients do not read what is written to them. All are looked at now and then, so that a
 * request costs nothing; timeouts of sockets start again with each byte that comes in.
 */
export function endStalledWrites(server: Server, stalledMs = STALLED_MS): void {
  const writes = new Map<Socket, Write | null>();
  server.on('connection', (socket: Socket) => {
    writes.set(socket, null);
    socket.once('close', () => writes.delete(socket));
  });
  const look = () => {
    for (const [socket, write] of writes) {
      const sent = socket.writableLength > 0 ? sentBy(socket) : null;
      if (sent === null) writes.set(socket, null);
      else if (write?.sent !== sent) writes.set(socket, { sent, looks: 0 });
      else if (++write.looks === LOOKS) socket.destroy();
    }
  };
  const timer = setInterval(look, stalledMs / LOOKS).unref();
  server.once('close', () => clearInterval(timer));
}

function sentBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}
