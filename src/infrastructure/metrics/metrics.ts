import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, as `/metrics` shows them. Modules make their own once and keep them:
 * `this.clicks = metrics.counter('waypost_clicks_total', 'Clicks journaled', ['store'])`.
 * Labels take few values: no ids, codes or addresses.
 */
@Injectable()
export class Metrics {
  /** One for each application rather than prom-client's global one: tests run several in one process. */
  private readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [this.registry] });
  }

  /** `read`, when given, sets the value whenever the metrics are read. */
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

  /** Everything in Prometheus' text form. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
