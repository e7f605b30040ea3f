import { type Command, InvalidArgumentError } from 'commander';
import { untilInterrupted } from '../interrupt';
import { service } from '../service';

const DEFAULT_PORT = 3030;

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('Serve links and their figures to assistants (Model Context Protocol)')
    .option('--write', 'Offer the tools that create and change links too')
    .option(
      '--http [port]',
      `Serve HTTP on this machine, at port ${DEFAULT_PORT} by default, instead of standard input and output`,
      port,
    )
    .action(async ({ write = false, http }: { write?: boolean; http?: number | true }) => {
      const api = await service();
      // Only this command needs the MCP SDK.
      const { mcpServer } = await import('../mcp/server');
      const make = () => mcpServer(api, write);
      if (http === undefined) {
        const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
        await make().connect(new StdioServerTransport());
        return;
      }
      const { serveHttp } = await import('../mcp/http');
      const { server, url } = await serveHttp(make, http === true ? DEFAULT_PORT : http);
      await untilInterrupted((signal) => {
        process.stderr.write(`MCP server at ${url} (Ctrl-C to end)\n`);
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      });
      server.close();
      server.closeAllConnections();
    });
}

function port(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) throw new InvalidArgumentError('It must be a port.');
  return value;
}
