import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Clock } from '../../../common/time/clock';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import type { ClaimedDelivery, Outcome } from './delivery';
import { Database } from '../../../infrastructure/database/database';

/** Counted to the last one up to here: a scrape must stay cheap. */
const COUNTED = 100_000;
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const WAITING = `
  SELECT count(*) AS count FROM (
    SELECT FROM webhook_deliveries WHERE status = 'PENDING' LIMIT ${COUNTED}) AS waiting`;
// The earliest of each endpoint comes from its end of the index.
const OLDEST = `
  SELECT min(d.next_at) AS "dueAt" FROM webhook_endpoints w
   CROSS JOIN LATERAL (SELECT next_at FROM webhook_deliveries
                        WHERE endpoint_id = w.id AND status = 'PENDING' AND lease IS NULL
                        ORDER BY next_at LIMIT 1) d
   WHERE w.enabled`;

/** How deliveries do. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly firstAttempts: Histogram;

  constructor(
    metrics: Metrics,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.attempts = metrics.counter(
      'waypost_webhook_attempts_total',
      'Attempts to deliver a webhook: delivered, gone, failed (another status), or why there was no answer',
      ['outcome'],
    );
    this.firstAttempts = metrics.histogram(
      'waypost_webhook_first_attempt_seconds',
      'Time from an event to the end of its first attempt',
      [],
      BUCKETS,
    );
    metrics.gauge(
      'waypost_webhook_deliveries_waiting',
      `Deliveries that no receiver has taken yet, counted up to ${COUNTED}`,
      [],
      async (gauge) => gauge.set(await this.waiting()),
    );
    metrics.gauge(
      'waypost_webhook_oldest_due_seconds',
      'How long the delivery that has waited longest to be attempted has been due',
      [],
      async (gauge) => gauge.set(await this.oldestDue()),
    );
  }

  attempted({ attempt: before, createdAt }: ClaimedDelivery, { attempt, result }: Outcome): void {
    const outcome = result === 'failed' ? (attempt.error ?? result) : result;
    this.attempts.inc({ outcome: outcome.toLowerCase() });
    if (before === 0) {
      this.firstAttempts.observe((attempt.at - createdAt.getTime() + attempt.latencyMs) / 1000);
    }
  }

  private async waiting(): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(WAITING);
    return row?.count ?? 0;
  }

  private async oldestDue(): Promise<number> {
    const [row] = await this.database.read<{ dueAt: Date | null }>(OLDEST);
    return row?.dueAt ? Math.max(0, this.clock.now() - row.dueAt.getTime()) / 1000 : 0;
  }
}
