import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { type ApiRequest, routeOf } from '../common/http/api-request';
import { setTracing, type Span } from '../common/tracing';
import type { Config } from '../config/config';

/** Frequent requests that are not worth a trace. */
const QUIET = /^\/(?:health\/|metrics$)/;
const KINDS: Record<Span['kind'], SpanKind> = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/** Span attributes without addresses, keys and personal data: SQL has placeholders, and commands only their names. */
const KEPT = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  'db.query.text',
]);

/** Removes from spans what logs must not contain either. */
class Redaction implements SpanProcessor {
  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    const { attributes, events, status } = span;
    for (const name of Object.keys(attributes)) if (!KEPT.has(name)) Reflect.deleteProperty(attributes, name);
    // Messages of Postgres and Redis quote values.
    events.length = 0;
    delete status.message;
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Traces HTTP requests, statements, Redis commands, jobs and webhooks, and exports the spans. Patches `pg`, `ioredis`
 * and `node:http`, so it is imported only if tracing is enabled.
 */
export function startTracing({ url, serviceName }: NonNullable<Config['tracing']>): {
  stop(): Promise<void>;
} {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new Redaction(), new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  // Instrumentations enable themselves when they are constructed.
  new HttpInstrumentation({
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: ({ url: path = '' }) => QUIET.test(path),
    applyCustomAttributesOnSpan: (span, request) => {
      const route = routeOf(request as ApiRequest);
      if (route === undefined) return;
      span.setAttribute('http.route', route);
      span.updateName(`${(request as ApiRequest).method} ${route}`);
    },
  });
  new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true });
  new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command });
  // Instrumentations patch a module in the next `require` of it, even if it has been loaded before.
  for (const name of ['node:http', 'pg', 'ioredis']) module.require(name);
  const tracer = trace.getTracer('waypost');
  setTracing({
    active: traceparent,
    run: ({ name, kind, parent }, work) =>
      tracer.startActiveSpan(
        name,
        { kind: KINDS[kind] },
        propagation.extract(ROOT_CONTEXT, { traceparent: parent }),
        async (span) => {
          try {
            return await work(traceparent() ?? parent);
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            throw error;
          } finally {
            span.end();
          }
        },
      ),
  });
  return { stop: () => provider.shutdown() };
}

function traceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}
