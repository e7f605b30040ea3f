import { createServer, type RequestListener, type Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { listenOn } from '../common/http/listen';
import { readableHeads } from '../common/http/request-head';
import { METRICS_TYPE, Metrics } from '../infrastructure/metrics/metrics';

/**
 * Serves health checks, and metrics if they are on this port, for any host name. Workers serve nothing else on PORT.
 */
export function operationsOnly(express: RequestListener): RequestListener {
  return (request, response) => {
    if (/^\/(?:health|metrics)(?:[/?]|$)/.test(request.url ?? '')) express(request, response);
    else response.writeHead(404, { 'Content-Length': 0 }).end();
  };
}

/** Serves health checks and metrics on OPERATIONS_PORT (docs/operations.md#the-operations-port). */
export class OperationsServer {
  private constructor(
    private readonly servers: readonly Server[],
    readonly port: number,
  ) {}

  /** @throws if the machine has none of the addresses, or the port is in use */
  static async listen(
    nest: INestApplicationContext,
    express: RequestListener,
    hosts: readonly string[],
    port: number,
  ): Promise<OperationsServer> {
    const metrics = nest.get(Metrics);
    const health = operationsOnly(express);
    const listener: RequestListener = (request, response) => {
      if (!/^\/metrics(?:\?|$)/.test(request.url ?? '')) health(request, response);
      else
        metrics.text().then(
          (text) => response.writeHead(200, { 'Content-Type': METRICS_TYPE }).end(text),
          () => response.writeHead(500, { 'Content-Length': 0 }).end(),
        );
    };
    const { listeners, port: bound } = await listenOn(hosts, port, () => ({
      server: createServer(readableHeads(listener)),
    }));
    return new OperationsServer(
      listeners.map(({ server }) => server),
      bound,
    );
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}
