import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const PATH = '/mcp';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Serves MCP on the loopback interface, a server for each request.
 * @returns once it listens
 */
export async function serveHttp(
  make: () => McpServer,
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    answer(make, request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      refuse(response, 500, 'Internal error');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}` };
}

async function answer(
  make: () => McpServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { host, origin } = request.headers;
  // Guards against DNS rebinding and calls of web pages.
  if (!isLoopback(`http://${host ?? ''}`)) refuse(response, 403, 'Host is not this machine');
  else if (origin !== undefined && !isLoopback(origin)) refuse(response, 403, 'Origin is not this machine');
  else if (request.url?.split('?')[0] !== PATH) refuse(response, 404, `The path is ${PATH}`);
  else if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    refuse(response, 405, 'Only POST: there are no sessions');
  } else await serve(make(), request, response);
}

async function serve(server: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function isLoopback(url: string): boolean {
  return LOOPBACK.has(URL.parse(url)?.hostname ?? '');
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = { jsonrpc: '2.0', error: { code: -32000, message }, id: null };
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(error));
}
