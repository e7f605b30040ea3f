import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '../../common/time/clock';
import { Database } from '../database/database';
import type { Sample } from '../metrics/hot-counters';
import { InstallationMetrics } from '../metrics/installation-metrics';
import { Metrics } from '../metrics/metrics';

interface KnownJob {
  readonly everySeconds: number;
  readonly firstSeenAt: number;
}

/** Metrics of scheduled jobs whose timers this build has; the table may contain rows of others. */
@Injectable()
export class ScheduleMetrics {
  private readonly known = new Map<string, KnownJob>();
  /** The label is not `job`, which Prometheus adds to every target. */
  private readonly failures: Counter<'name'>;

  constructor(
    metrics: Metrics,
    installation: InstallationMetrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.failures = metrics.counter(
      'waypost_scheduled_job_failures_total',
      'Runs that failed, by name of the job',
      ['name'],
    );
    installation.gauge(
      'waypost_scheduled_job_age_seconds',
      'Seconds since the last run that succeeded, by name of the job',
      () => this.ages(),
    );
    installation.gauge(
      'waypost_scheduled_job_period_seconds',
      'Time between two runs, by name of the job',
      async () =>
        [...this.known].map(([job, { everySeconds }]) => ({ labels: { name: job }, value: everySeconds })),
    );
  }

  fired(job: string, everySeconds: number): void {
    if (this.known.has(job)) return;
    this.known.set(job, { everySeconds, firstSeenAt: this.clock.now() });
    // Prometheus shows an increase only for a series that existed before.
    this.failures.inc({ name: job }, 0);
  }

  failed(job: string): void {
    this.failures.inc({ name: job });
  }

  private async ages(): Promise<Sample[]> {
    const rows = await this.database.read<{ name: string; lastRunAt: Date | null }>(
      'SELECT name, last_run_at AS "lastRunAt" FROM scheduled_jobs WHERE name = ANY ($1)',
      [[...this.known.keys()]],
    );
    const lastRuns = new Map(rows.map(({ name, lastRunAt }) => [name, lastRunAt?.getTime()]));
    const now = this.clock.now();
    return [...this.known].map(([job, { firstSeenAt }]) => ({
      labels: { name: job },
      value: Math.max(0, now - (lastRuns.get(job) ?? firstSeenAt)) / 1_000,
    }));
  }
}
