/** What records traces. The header `traceparent` of W3C Trace Context stands for a span. */
export interface Tracing {
  /** The active span; null outside a trace. */
  active(): string | null;
  /** Runs `work` in a span of its own below `parent`. */
  run<T>(span: Span, work: (traceparent: string) => Promise<T>): Promise<T>;
}

export interface Span {
  readonly name: string;
  /** Whether it calls another system or handles a job. */
  readonly kind: 'client' | 'consumer';
  readonly parent: string;
}

/** Null without OTEL_EXPORTER_OTLP_ENDPOINT: nothing of OpenTelemetry is loaded then. */
let tracing: Tracing | null = null;

/** Makes the process record traces. Call it before the application is created. */
export function setTracing(started: Tracing): void {
  tracing = started;
}

export function isTracing(): boolean {
  return tracing !== null;
}

/** The `traceparent` of the active span; null outside a trace. */
export function activeTraceparent(): string | null {
  return tracing === null ? null : tracing.active();
}

/**
 * Runs `work` in a span of its own, if `parent` says in which trace.
 * @param work gets the `traceparent` to send on
 */
export function inSpan<T>(
  { parent, ...span }: Omit<Span, 'parent'> & { parent: string | null },
  work: (traceparent: string | null) => Promise<T>,
): Promise<T> {
  if (tracing === null || parent === null) return work(parent);
  return tracing.run({ ...span, parent }, work);
}

/** Fields that lead from a log line to its trace. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const [, traceId, spanId] = activeTraceparent()?.split('-') ?? [];
  return traceId === undefined || spanId === undefined ? {} : { traceId, spanId };
}
