import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually';
import { temporaryFolder } from '../support/servers';
import { phone, UNSUBSCRIBES } from '../support/unsubscribes';
import { WebhookReceiver } from '../support/webhook-receiver';
import { call, Customer } from './customer';
import { CONSOLE_TOKEN, type Service } from './service';
import { Stage } from './stage';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: unknown }[];
}

/** What an OTLP/HTTP receiver gets in JSON. */
interface Sent {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { scope: { name: string }; spans: SentSpan[] }[];
  }[];
}

/** A small OTLP receiver. */
class Collector {
  readonly spans: (SentSpan & { scope: string })[] = [];
  readonly services = new Set<string | undefined>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Collector> {
    const server = createServer();
    const collector = new Collector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces')
          collector.take(JSON.parse(Buffer.concat(chunks).toString()) as Sent);
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of(traceId: string) {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take({ resourceSpans }: Sent): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const name = resource.attributes.find(({ key }) => key === 'service.name');
      this.services.add(name?.value.stringValue);
      for (const { scope, spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, scope: scope.name })));
      }
    }
  }
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const REDIRECT_TRACE = '1af7651916cd43dd8448eb211c80319c';
const CALLER_SPAN = 'b7ad6b7169203331';
const SECRET_URL = 'https://shop.example.com/a-secret-destination';

describe('traces', () => {
  const stage = new Stage();
  let collector: Collector;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    collector = await Collector.start();
    receiver = await WebhookReceiver.start();
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await collector.close();
    await receiver.close();
  });

  /** A service that says on SIGUSR2 how many modules of OpenTelemetry it has loaded, except the API: prom-client does. */
  async function start(env: Record<string, string> = {}): Promise<Service> {
    const probe = join(temporaryFolder('probe'), 'probe.cjs');
    const count = `Object.keys(require.cache).filter((file) => /@opentelemetry.(?!api.)/.test(file)).length`;
    writeFileSync(
      probe,
      `process.on('SIGUSR2', () => process.stdout.write('OpenTelemetry: ' + ${count} + ';'));`,
    );
    const redis = await stage.redis();
    return stage.service({
      DATABASE_URL: await stage.database(),
      REDIS_URL: redis.url,
      OUTBOUND_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--require=${probe}`,
      ...env,
    });
  }

  async function loaded(service: Service): Promise<number> {
    service.signal('SIGUSR2');
    return eventually(() => {
      const [, count] = /OpenTelemetry: (\d+);/.exec(service.output) ?? [];
      expect(count).toBeDefined();
      return Promise.resolve(Number(count));
    });
  }

  async function createLink(service: Service, traceparent: string): Promise<string> {
    const path = `${service.url}/api/v1/console/organizations/1/urls`;
    const headers = { Authorization: `Bearer ${CONSOLE_TOKEN}`, traceparent };
    const { status, body } = await call<{ shortUrl: string }>(path, 'POST', headers, { url: SECRET_URL });
    expect(status).toBe(201);
    return body.shortUrl;
  }

  it('lead from a call to the receiver of its webhook, without values', async () => {
    const service = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'waypost-test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    const customer = await Customer.create(service.url);
    await customer.addWebhook(service.url, receiver.url, ['link.created']);
    const shortUrl = await createLink(service, `00-${TRACE}-${CALLER_SPAN}-01`);

    const [webhook] = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return Promise.resolve(receiver.received);
    });
    const [, traceId, spanId] = String(webhook?.headers.traceparent).split('-');
    expect(traceId).toBe(TRACE);

    await eventually(() => {
      const spans = collector.of(TRACE);
      expect(new Set(spans.map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')))).toEqual(
        new Set(['http', 'pg', 'ioredis', 'waypost']),
      );
      const names = spans.map(({ name }) => name);
      expect(names).toContain('POST /api/v1/console/organizations/:organizationId/urls');
      expect(names).toContain('process webhooks');
      expect(spans.find((span) => span.spanId === spanId)).toMatchObject({ name: 'webhook link.created' });
      // One tree: every span is below another one or the caller's.
      const ids = new Set([CALLER_SPAN, ...spans.map((span) => span.spanId)]);
      expect(spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? 'none'))).toEqual([]);
      return Promise.resolve();
    });
    expect(collector.services).toEqual(new Set(['waypost-test']));
    await eventually(() => {
      expect(service.output).toMatch(new RegExp(`"traceId":"${TRACE}","spanId":"[0-9a-f]{16}"`));
      return Promise.resolve();
    });

    // The fast path leaves it to node:http, where it is traced.
    const { pathname } = new URL(shortUrl);
    const redirect = await fetch(`http://localhost:${service.port}${pathname}`, {
      redirect: 'manual',
      headers: { traceparent: `00-${REDIRECT_TRACE}-${CALLER_SPAN}-01` },
    });
    expect(redirect.headers.get('Location')).toBe(SECRET_URL);
    await eventually(() => {
      expect(collector.of(REDIRECT_TRACE).length).toBeGreaterThan(0);
      return Promise.resolve();
    });

    await customer.post(service.url, `${UNSUBSCRIBES}/bulk?async=true`, { items: [{ value: phone(1) }] });
    await eventually(() => {
      const job = collector.spans.find(({ name }) => name === 'process bulk-jobs');
      const names = collector.of(job?.traceId ?? '').map(({ name }) => name);
      expect(names).toContain('POST /api/v1/service/messaging/unsubscribes/bulk');
      return Promise.resolve();
    });

    const text = JSON.stringify(collector.spans);
    for (const value of ['a-secret-destination', CONSOLE_TOKEN, '127.0.0.1', pathname, 'Mozilla']) {
      expect(text).not.toContain(value);
    }
    expect(text).toContain('$1');
    expect(await loaded(service)).toBeGreaterThan(0);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  it('are not made without a receiver, and nothing of OpenTelemetry is loaded', async () => {
    const service = await start();
    const customer = await Customer.create(service.url);
    await customer.addWebhook(service.url, receiver.url, ['link.created']);
    const before = receiver.received.length;
    await createLink(service, `00-${TRACE}-${CALLER_SPAN}-01`);
    await eventually(() => {
      expect(receiver.received.length).toBe(before + 1);
      return Promise.resolve();
    });
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('traceparent');
    expect(await loaded(service)).toBe(0);
  });
});
