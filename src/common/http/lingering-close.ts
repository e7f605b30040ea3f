import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long the rest of a request is read after the last response of a connection. */
const LINGER_MS = 5_000;

/**
 * Closes connections in two steps if the last response was sent before the request had been read: first the service's
 * side, then, once the client has closed its own, the whole. Closing with unread data would reset the connection, and
 * the client would lose the response.
 * @param server not listening yet
 */
export function lingerOnClose(server: Server): void {
  const requests = new WeakMap<Socket, IncomingMessage>();
  server.prependListener('request', (request: IncomingMessage) => requests.set(request.socket, request));
  server.on('connection', (socket: Socket) => {
    const close = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (requests.get(socket)?.complete !== false || socket.destroyed) close();
      else linger(socket);
    };
  });
}

function linger(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.end();
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}
