import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { Series } from './hot-counters';

/** `Content-Type` of Prometheus' text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The metrics of this process, exposed at `/metrics`. Modules create theirs once:
 * `this.failures = metrics.counter('waypost_scheduled_job_failures_total', 'Runs that failed, by name of the job', ['name'])`.
 * Labels must have few values: no ids, codes or addresses.
 */
@Injectable()
export class Metrics {
  /** Not prom-client's global registry, because tests run several applications in one process. */
  private readonly registry = new Registry();
  private readonly beforeScrapes: (() => void)[] = [];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [this.registry] });
  }

  /** @param read computes the value whenever the metrics are collected */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
    read?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label> {
    const collect = read && { collect: (): void | Promise<void> => read(gauge) };
    const gauge = new Gauge<Label>({
      name,
      help,
      labelNames: labels,
      registers: [this.registry],
      ...collect,
    });
    return gauge;
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets, registers: [this.registry] });
  }

  /** Adds a metric that stores its values elsewhere. */
  register(series: { readonly name: string; get(): Series | Promise<Series> }): void {
    // prom-client calls only `get`, although its type asks for its own classes.
    this.registry.registerMetric(series as unknown as Metric);
  }

  /** Calls `read` before each scrape, for values that the scrape itself would change, such as connections in use. */
  beforeScrape(read: () => void): void {
    this.beforeScrapes.push(read);
  }

  text(): Promise<string> {
    for (const read of this.beforeScrapes) read();
    return this.registry.metrics();
  }
}
