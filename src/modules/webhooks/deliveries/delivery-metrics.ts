import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { InstallationMetrics } from '../../../infrastructure/metrics/installation-metrics';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import type { ClaimedDelivery, Outcome } from '../delivery';

/** Maximum count of pending deliveries, so that a scrape stays cheap. */
const MAX_COUNTED = 100_000;
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const WAITING = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM webhook_deliveries WHERE status = 'PENDING' LIMIT ${MAX_COUNTED}) AS waiting`;
// One index look-up per endpoint.
const OLDEST = `
  SELECT min(d.next_at) AS "dueAt" FROM webhook_endpoints w
   CROSS JOIN LATERAL (SELECT next_at FROM webhook_deliveries
                        WHERE organization_id = w.organization_id AND endpoint_id = w.id AND status = 'PENDING' AND lease IS NULL
                        ORDER BY next_at LIMIT 1) d
   WHERE w.enabled AND w.delivery = 'PUSH'`;

@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly firstAttempts: Histogram;

  constructor(
    metrics: Metrics,
    installation: InstallationMetrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.attempts = metrics.counter(
      'waypost_webhook_attempts_total',
      'Attempts to deliver a webhook by outcome: delivered, gone, failed (another status), or why there was no response',
      ['outcome'],
    );
    this.firstAttempts = metrics.histogram(
      'waypost_webhook_first_attempt_seconds',
      'Time from an event to the end of its first attempt',
      [],
      BUCKETS,
    );
    installation.gauge(
      'waypost_webhook_deliveries_waiting',
      `Pending deliveries, counted up to ${MAX_COUNTED}`,
      async () => [{ labels: {}, value: (await database.single<{ count: number }>(WAITING)).count }],
    );
    installation.gauge(
      'waypost_webhook_oldest_due_seconds',
      'Seconds since the oldest due delivery became due',
      async () => [{ labels: {}, value: await this.oldestDue() }],
    );
  }

  attempted({ attempt: before, createdAt }: ClaimedDelivery, { attempt, result }: Outcome): void {
    const outcome = result === 'failed' ? (attempt.error ?? result) : result;
    this.attempts.inc({ outcome: outcome.toLowerCase() });
    if (before === 0) {
      this.firstAttempts.observe((attempt.at - createdAt.getTime() + attempt.latencyMs) / 1000);
    }
  }

  private async oldestDue(): Promise<number> {
    const { dueAt } = await this.database.single<{ dueAt: Date | null }>(OLDEST);
    return dueAt ? Math.max(0, this.clock.now() - dueAt.getTime()) / 1000 : 0;
  }
}
