import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import { Clock } from '../../../common/time/clock';
import type { ClaimedDelivery, DeliveryStatus, Outcome } from './delivery';
import { DeliveryWakeUps } from './delivery-wake-ups';
import { DeliveryMetrics } from './delivery-metrics';
import { type DeliveryResult, DeliveryRows } from './deliveries.repository';
import { EndpointHealth } from '../endpoints/endpoint-health';
import { retryDelay } from './retry-steps';

/** Of one statement. */
const MAX_RESULTS = 500;
/** The log of a delivery holds its last attempts, of however many redeliveries. */
const MAX_LOGGED = 20;
/** Shorter waits are rung for to the point; for longer ones the sweep is exact enough. */
const RUNG_FOR_MS = 60_000;
/** A ring that comes a little early finds nothing due. */
const LATE_MS = 50;
const TRIES = 4;
const STORE_AWAY_MS = 500;

interface Pending {
  readonly delivery: ClaimedDelivery;
  readonly outcome: Outcome;
}

/** Writes down what became of attempts: all that end while one statement runs go into the next one. */
@Injectable()
export class DeliveryResults {
  private readonly logger = new Logger(DeliveryResults.name);
  private pending: Pending[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly rows: DeliveryRows,
    private readonly health: EndpointHealth,
    private readonly wakeUps: DeliveryWakeUps,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {}

  add(delivery: ClaimedDelivery, outcome: Outcome): void {
    this.metrics.attempted(delivery, outcome);
    this.pending.push({ delivery, outcome });
    this.writing ??= this.write().finally(() => (this.writing = null));
  }

  /** Resolves when all of it is written. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async write(): Promise<void> {
    while (this.pending.length > 0) {
      const some = this.pending.splice(0, MAX_RESULTS);
      try {
        await this.keep(some.map((each) => this.resultOf(each)));
        await this.health.note(some);
      } catch (error) {
        // Their leases run out, and they are delivered once more: receivers know them by their delivery_id.
        this.logger.warn(`${some.length} webhook results are lost: ${describeError(error).message}`);
      }
    }
  }

  private async keep(results: readonly DeliveryResult[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.rows.record(results);
        break;
      } catch (error) {
        if (tries === TRIES) throw error;
        await delay(STORE_AWAY_MS);
      }
    }
    for (const { delivery, nextAt } of results) {
      const wait = nextAt === null ? Infinity : nextAt.getTime() - this.clock.now();
      if (wait <= RUNG_FOR_MS) this.wakeUps.notifyLater(delivery.endpointId, wait + LATE_MS);
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
