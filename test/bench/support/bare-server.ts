import { createServer } from 'node:http';

/** The reference: node:http that answers a fixed 302. */
createServer((_request, response) => {
  response.writeHead(302, {
    Location: 'https://example.com/landing?campaign=autumn',
    'Cache-Control': 'private, no-store',
    'Content-Length': 0,
  });
  response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
