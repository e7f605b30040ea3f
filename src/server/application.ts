import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { DestinationStream } from 'pino';
import { trustOf } from '../access/client-ip';
import { DemoOrganization } from '../access/demo-organization';
import { AppModule, type AppModuleOptions } from '../app.module';
import type { RunnableConfig } from '../infrastructure/runnable-config';
import { ClickCounter } from '../counting-thread/click-counter';
import type { Role } from '../config/config';
import { applyHttpRules, strictRouter } from '../common/http/http-rules';
import { fastPath } from '../fast-path/fast-path';
import { lingerOnClose } from '../common/http/lingering-close';
import { listenOn } from '../common/http/listen';
import { readableHeads } from '../common/http/request-head';
import { endStalledWrites } from '../common/http/stalled-writes';
import { limitUnanswered } from '../common/http/unanswered-requests';
import { createLogger } from '../common/logging/logger';
import { NestLogger } from '../common/logging/nest-logger';
import { Health } from '../infrastructure/health/health';
import { httpMetrics } from '../infrastructure/metrics/http-metrics';
import { Metrics } from '../infrastructure/metrics/metrics';
import { ClickMetrics } from '../modules/clicks/observation/click-metrics';
import { LiveClicks } from '../modules/click-statistics/live/live-clicks';
import { WebhookPullsService } from '../modules/webhooks/api/webhook-pulls.service';
import { RedirectListener } from '../modules/redirect/redirect.listener';
import { serveOpenApi } from '../openapi/documents';
import { operationsOnly, OperationsServer } from './operations.server';
import { serveConsole } from './serve-console';
import { expressMessages } from './express-messages';

/** Overrides for tests. */
export interface ApplicationOverrides extends Pick<AppModuleOptions, 'clock' | 'modules' | 'counting'> {
  logTo?: DestinationStream;
}

/**
 * Longer than proxies keep idle connections (nginx and AWS 60 s, Caddy 120 s), so that the proxy closes them: a request
 * that crosses a close by the service fails with 502. Visitors have many connections, and get less.
 */
const PROXY_KEEP_ALIVE_MS = 130_000;
const DRAIN_LIMIT_MS = 5_000;
/**
 * Turns of the event loop without a new connection after which the accept queue counts as empty, and the limit on
 * waiting for it.
 */
const QUIET_TURNS = 10;
const QUIET_LIMIT_MS = 250;
const LOOK_EVERY_MS = 20;

/** Reads connections in front of a server. */
interface ConnectionReader {
  /** Leaves further requests to the server. */
  stop(): void;
  closeIdle(): void;
  closeAll(): void;
}

/** A listening server with the fast path in front, which workers do not have. */
interface Listener {
  server: Server;
  front: ConnectionReader | null;
}

/** The running service: the Nest container and its HTTP servers. */
export class Application {
  private draining = false;
  private operations: OperationsServer | null = null;
  /** Set once the listeners are being closed. */
  private closing: Promise<void> | null = null;

  private constructor(
    readonly nest: NestExpressApplication,
    private readonly listeners: Listener[],
    private readonly counter: ClickCounter | null,
    private readonly role: Role,
    private readonly behindProxy: boolean,
  ) {}

  get demoOrganization(): DemoOrganization {
    return this.nest.get(DemoOrganization, { strict: false });
  }

  /** Builds the application without listening. */
  static async create(config: RunnableConfig, overrides: ApplicationOverrides = {}): Promise<Application> {
    const logger = createLogger(config.logLevel, overrides.logTo);
    const counting = overrides.counting ?? config.role === 'worker';
    const clickMetrics = new ClickMetrics();
    const module = AppModule.of(config, { ...overrides, counting, clickMetrics, logger });
    const nest = await NestFactory.create<NestExpressApplication>(module, strictRouter(), {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(logger),
    });
    applyHttpRules(nest, logger);
    nest.set('trust proxy', trustOf(config.trustProxy));
    nest.use(httpMetrics(nest.get(Metrics)));
    serveOpenApi(nest, config);
    if (config.role !== 'worker') serveConsole(nest);
    const counter =
      config.role === 'all' && !counting ? new ClickCounter(config, clickMetrics, logger) : null;
    const starts = await Promise.allSettled([nest.init(), counter?.start()]);
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed) {
      // Modules that have started hold connections, which would keep the process alive.
      await Promise.all([nest.close(), counter?.stop()]);
      throw failed.reason;
    }
    return new Application(nest, [], counter, config.role, config.trustProxy !== 0);
  }

  /**
   * Listens on every configured address that this machine has. @returns the port (PORT may be 0 in tests)
   * @throws if the machine has none of the addresses, or the port is in use
   */
  async listen(hosts: readonly string[], port: number): Promise<number> {
    const listener = this.listener(this.express);
    const messages = expressMessages(this.express);
    const { listeners, port: bound } = await listenOn(hosts, port, (): Listener => {
      const server = createServer(messages, readableHeads(listener));
      // Otherwise node:http drops headers beyond a limit silently; `readableHeads` rejects such requests.
      server.maxHeadersCount = 0;
      if (this.behindProxy) server.keepAliveTimeout = PROXY_KEEP_ALIVE_MS;
      limitUnanswered(server);
      const front: ConnectionReader | null = this.role === 'worker' ? null : fastPath(server, this.nest);
      endStalledWrites(server);
      lingerOnClose(server);
      return { server, front };
    });
    this.listeners.push(...listeners);
    return bound;
  }

  /** Serves health checks and metrics on a port of their own. @returns the port, like `listen` */
  async listenOperations(hosts: readonly string[], port: number): Promise<number> {
    this.operations = await OperationsServer.listen(this.nest, this.express, hosts, port);
    return this.operations.port;
  }

  /** Stops accepting connections, lets running requests finish, and closes kept-alive connections. */
  async drain(keepAliveGraceMs = 0): Promise<void> {
    this.nest.get(Health).stop();
    const listeners = this.listeners.splice(0);
    for (const { front } of listeners) front?.stop();
    this.closing = closeListeners(listeners.map(({ server }) => server));
    await this.closing;
    this.closing = null;
    this.draining = true;
    this.nest.get(LiveClicks).close();
    this.nest.get(WebhookPullsService).close();
    // A kept-alive connection may be receiving a request, whose response then closes it.
    await delay(keepAliveGraceMs);
    await Promise.all(listeners.map(endConnections));
  }

  /** Flushes buffers and closes the stores. */
  async close(): Promise<void> {
    await this.drain();
    await Promise.all([this.nest.close(), this.counter?.stop()]);
    // Last, so that probes get a response about the shutdown instead of a refused connection.
    this.operations?.close();
  }

  private get express(): Express {
    return this.nest.getHttpAdapter().getInstance();
  }

  /**
   * Routes redirects to their listener and other requests to the API. While draining, responses close their connection.
   */
  private listener(express: RequestListener): RequestListener {
    const front =
      this.role === 'worker' ? operationsOnly(express) : this.nest.get(RedirectListener).before(express);
    return (request, response) => {
      if (this.draining) response.shouldKeepAlive = false;
      if (this.closing) void this.closing.then(() => front(request, response));
      else front(request, response);
    };
  }
}

/**
 * Stops listening. The kernel resets connections that the process has not accepted yet, so these are accepted first,
 * without handling requests, because clients that get a response would reconnect.
 */
async function closeListeners(servers: readonly Server[]): Promise<void> {
  const giveUpAt = performance.now() + QUIET_LIMIT_MS;
  let quiet = 0;
  for (const server of servers) server.on('connection', () => (quiet = 0));
  while (quiet++ < QUIET_TURNS && performance.now() < giveUpAt) await nextTurn();
  // http.Server's `close` would also close idle connections, on which a request may be arriving.
  for (const server of servers) NetServer.prototype.close.call(server);
}

/** Closes idle connections, and resolves when the others are closed. */
async function endConnections({ server, front }: Listener): Promise<void> {
  front?.closeIdle();
  server.closeIdleConnections();
  const forced = setTimeout(() => {
    front?.closeAll();
    server.closeAllConnections();
  }, DRAIN_LIMIT_MS);
  const connections = promisify(server.getConnections.bind(server));
  while ((await connections()) > 0) await delay(LOOK_EVERY_MS);
  clearTimeout(forced);
  // All connections are closed; this ends the timer that checks for request timeouts.
  server.close();
}
