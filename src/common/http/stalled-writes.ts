import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a write may stall (docs/operations.md#connections-and-memory). */
const STALLED_MS = 30_000;
const CHECKS = 6;

/** libuv's state of a socket: `bytesWritten` of the socket itself counts a write as soon as it starts. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/** A pending write at the last check. */
interface Write {
  /** Bytes that the kernel had accepted. */
  sent: number;
  checks: number;
}

/**
 * Closes connections whose clients do not read their responses. Connections are checked periodically, so that requests
 * cost nothing; socket timeouts do not help, because every incoming byte resets them.
 */
export function endStalledWrites(server: Server, stalledMs = STALLED_MS): void {
  const writes = new Map<Socket, Write | null>();
  server.on('connection', (socket: Socket) => {
    writes.set(socket, null);
    socket.once('close', () => writes.delete(socket));
  });
  const check = () => {
    for (const [socket, write] of writes) {
      const sent = socket.writableLength > 0 ? sentBy(socket) : null;
      if (sent === null) writes.set(socket, null);
      else if (write?.sent !== sent) writes.set(socket, { sent, checks: 0 });
      else if (++write.checks === CHECKS) socket.destroy();
    }
  };
  const timer = setInterval(check, stalledMs / CHECKS).unref();
  server.once('close', () => clearInterval(timer));
}

function sentBy(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}
