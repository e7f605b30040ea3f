import { Injectable } from '@nestjs/common';
import { withDeadline } from '../../common/deadline';
import { Clock } from '../../common/time/clock';
import { Config } from '../../config/config';
import type { Sample } from './hot-counters';
import { Metrics } from './metrics';

/** Scrapes within this time share a result. */
const CACHE_MS = 10_000;
/** A store that does not respond must not hold up a scrape. */
const READ_LIMIT_MS = 2_000;

interface Reading {
  readonly at: number;
  readonly values: Promise<readonly Sample[]>;
}

/** Gauges about the whole installation. Each worker reports the same, so queries take their `max`. */
@Injectable()
export class InstallationMetrics {
  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @param read its failure, such as during an outage of a store, leaves the gauge out */
  gauge(name: string, help: string, read: () => Promise<readonly Sample[]>): void {
    if (this.config.role === 'web') return;
    let last: Reading | null = null;
    const get = async () => {
      const now = this.clock.now();
      if (!last || Math.abs(now - last.at) >= CACHE_MS) {
        last = { at: now, values: withDeadline(read(), READ_LIMIT_MS).catch(() => []) };
      }
      return { name, help, type: 'gauge', values: await last.values } as const;
    };
    this.metrics.register({ name, get });
  }
}
