import { InjectQueue } from '@nestjs/bull';
import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { Clock } from '../../../common/time/clock';
import { Database } from '../../../infrastructure/database/database';
import { WakeUpQueue } from '../../../infrastructure/jobs/wake-up-queue';
import { EndpointHealth } from '../endpoints/endpoint-health';
import { DELIVERIES_QUEUE } from '../outbox/webhook-outbox';
import { type DeliveryResult, DeliveriesRepository } from './deliveries.repository';
import type { ClaimedDelivery, DeliveryStatus, Outcome } from '../delivery';
import { DeliveryMetrics } from './delivery-metrics';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before retries (docs/webhooks.md#retries). */
export const RETRY_STEPS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;
/** The documented jitter is 20 %; the rest is for the latency of the wake-up. */
const JITTER = 0.18;

/** Results per statement. */
const MAX_RESULTS = 500;
/** Number of last attempts in the log of a delivery, including those before a redelivery. */
const MAX_LOGGED = 20;
/** Longer delays are left to the sweep. */
const MAX_DELAYED_WAKE_UP_MS = MINUTE_MS;
/** A wake-up that comes slightly early would find nothing due. */
const WAKE_UP_MARGIN_MS = 50;
const WRITE_ATTEMPTS = 4;
const WRITE_RETRY_MS = 500;

interface Pending {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
}

/** Stores results of attempts; those that arrive during a statement share the next one. */
@Injectable()
export class DeliveryResults {
  private readonly logger = new Logger(DeliveryResults.name);
  private pending: Pending[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly rows: DeliveriesRepository,
    private readonly health: EndpointHealth,
    @InjectQueue(DELIVERIES_QUEUE) private readonly queue: WakeUpQueue,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
    private readonly database: Database,
  ) {}

  add(delivery: ClaimedDelivery, outcome: Outcome): void {
    this.metrics.attempted(delivery, outcome);
    this.pending.push({ delivery, outcome });
    this.writing ??= this.writeAll().finally(() => (this.writing = null));
  }

  /** Stores the result of an attempt outside this service. @returns false if its lease has been lost */
  async report(delivery: ClaimedDelivery, outcome: Outcome): Promise<boolean> {
    const stored = await this.rows.record([this.resultOf({ delivery, outcome })]);
    if (stored === 0) return false;
    await this.health.record([{ delivery, outcome }]);
    await this.database.wrote(delivery.organizationId);
    return true;
  }

  /** Resolves when all results are stored. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.pending.length > 0) {
      const batch = this.pending.splice(0, MAX_RESULTS);
      try {
        await this.write(batch.map((each) => this.resultOf(each)));
        await this.health.record(batch);
        const organizations = new Set(batch.map(({ delivery }) => delivery.organizationId));
        await Promise.all([...organizations].map((id) => this.database.wrote(id)));
      } catch (error) {
        // The leases of these deliveries expire, and they are attempted again; receivers recognize repeats by
        // delivery_id.
        this.logger.warn(`${batch.length} webhook results are lost: ${describeError(error).message}`);
      }
    }
  }

  private async write(results: readonly DeliveryResult[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.rows.record(results);
        break;
      } catch (error) {
        if (tries === WRITE_ATTEMPTS) throw error;
        await delay(WRITE_RETRY_MS);
      }
    }
    for (const { delivery, nextAt } of results) {
      const wait = nextAt === null ? Infinity : nextAt.getTime() - this.clock.now();
      if (wait <= MAX_DELAYED_WAKE_UP_MS) {
        const { organizationId, endpointId: id } = delivery;
        this.queue.notifyLater({ organizationId, id }, wait + WAKE_UP_MARGIN_MS);
      }
    }
  }

  private resultOf({ delivery, outcome }: Pending): DeliveryResult {
    const attempt = delivery.attempt + 1;
    const attempts = [...delivery.attempts, outcome.attempt].slice(-MAX_LOGGED);
    if (outcome.result === 'delivered') {
      return { delivery, status: 'DELIVERED', attempt, attempts, nextAt: null };
    }
    const wait = retryDelay(attempt, outcome.retryAfterMs, Math.random());
    const status: DeliveryStatus = wait === null ? 'FAILED' : 'PENDING';
    const nextAt = wait === null ? null : new Date(this.clock.now() + wait);
    return { delivery, status, attempt, attempts, nextAt };
  }
}

/**
 * Milliseconds until the next attempt; null after the last one.
 * @param attempts number of failed attempts
 * @param retryAfterMs respected up to twice the regular delay
 * @param random 0 to 1
 */
function retryDelay(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const jittered = step * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, 2 * step)));
}
