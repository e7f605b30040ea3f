/** Records traces. A span is represented by its `traceparent` header (W3C Trace Context). */
export interface Tracing {
  /** `traceparent` of the active span; null outside a trace. */
  active(): string | null;
  /** Runs `work` in a new child span of `parent`. */
  run<T>(span: Span, work: (traceparent: string) => Promise<T>): Promise<T>;
}

export interface Span {
  readonly name: string;
  /** `client` calls another system, `consumer` handles a job. */
  readonly kind: 'client' | 'consumer';
  readonly parent: string;
}

/** Null without OTEL_EXPORTER_OTLP_ENDPOINT, in which case OpenTelemetry is not loaded. */
let tracing: Tracing | null = null;

/** Enables tracing in this process. Call it before the application is created. */
export function setTracing(started: Tracing): void {
  tracing = started;
}

export function isTracing(): boolean {
  return tracing !== null;
}

export function activeTraceparent(): string | null {
  return tracing === null ? null : tracing.active();
}

/**
 * Runs `work` in a new span if `parent` is part of a trace, else without one.
 * @param work gets the `traceparent` to propagate
 */
export function inSpan<T>(
  { parent, ...span }: Omit<Span, 'parent'> & { parent: string | null },
  work: (traceparent: string | null) => Promise<T>,
): Promise<T> {
  if (tracing === null || parent === null) return work(parent);
  return tracing.run({ ...span, parent }, work);
}

export function traceFields(): { traceId?: string; spanId?: string } {
  const [, traceId, spanId] = activeTraceparent()?.split('-') ?? [];
  return traceId === undefined || spanId === undefined ? {} : { traceId, spanId };
}
