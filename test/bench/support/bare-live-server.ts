import { createServer, type ServerResponse } from 'node:http';

/*
 * The reference for live clicks: node:http writes the same bytes as often to the same number of listeners. Nothing is
 * read from a database, and nothing is composed.
 */
const events = Buffer.alloc(Number(process.env.BYTES), 'x');
const listeners = new Set<ServerResponse>();

createServer((request, response) => {
  if (request.url === '/') {
    response.end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write('event: ready\ndata: {}\n\n');
  response.on('close', () => listeners.delete(response));
  listeners.add(response);
}).listen(Number(process.env.PORT), '127.0.0.1');

setInterval(() => {
  for (const response of listeners) response.write(events);
}, Number(process.env.EVERY_MS));
