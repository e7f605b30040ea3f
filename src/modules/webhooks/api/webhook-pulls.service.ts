import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '../../../access/caller';
import { ConcurrentUses } from '../../../access/limits/concurrent-uses';
import { DomainError } from '../../../common/errors/domain-error';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { timeOfId } from '../../../common/uuid';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import type { ClaimedDelivery, Outcome } from '../delivery';
import { DeliveriesRepository } from '../deliveries/deliveries.repository';
import { logged, resultOf, signedBodyOf } from '../deliveries/delivery-client';
import { DeliveryResults } from '../deliveries/delivery-results';
import { Replays } from '../deliveries/replays';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import type { DeliveryResultRequest, PullQuery } from './webhook-pulls.dto';

/** Interval at which a waiting pull looks for due deliveries. */
const LOOK_EVERY_MS = 500;

/** Ids start with the time of the event. */
const byTime = (one: ClaimedDelivery, other: ClaimedDelivery) => (one.id < other.id ? -1 : 1);

/** Deliveries that a listener fetches (docs/webhooks.md#without-a-public-address). */
@Injectable()
export class WebhookPullsService {
  private readonly closing = new AbortController();

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly replays: Replays,
    private readonly results: DeliveryResults,
    private readonly uses: ConcurrentUses,
  ) {}

  /** Ends all waiting pulls. */
  close(): void {
    this.closing.abort();
  }

  /**
   * Leases due deliveries, as soon as there are any.
   * @param gone aborted once the listener has disconnected
   * @throws NotFound, WEBHOOK_PUSHED, WEBHOOK_DISABLED, LimitReached
   */
  async pull(
    { organizationId, organization }: Caller,
    id: number,
    query: PullQuery,
    gone: AbortSignal,
  ): Promise<ClaimedDelivery[]> {
    const endpoint = await this.endpoints.get(organizationId, id);
    if (endpoint.delivery === 'PUSH') throw new DomainError('WEBHOOK_PUSHED');
    if (!endpoint.enabled) throw new DomainError('WEBHOOK_DISABLED');
    await this.endpoints.pulled(organizationId, id);
    return this.uses.during('listeners', organizationId, organization.limits.liveListeners, () =>
      this.claim({ organizationId, id }, query, gone),
    );
  }

  /** Stores the result of a pulled delivery. @throws NotFound, ValidationFailed, LEASE_LOST */
  async report(
    { organizationId }: Caller,
    deliveryId: string,
    { lease, statusCode = null, error = null, durationMs, answer }: DeliveryResultRequest,
  ): Promise<void> {
    const delivery = await this.deliveries.find(organizationId, deliveryId);
    if (!delivery) throw new NotFound('Delivery');
    if (statusCode === null && error === null) throw ValidationFailed.field('statusCode', 'is required');
    if (statusCode !== null && error !== null) {
      throw ValidationFailed.field('error', 'must not be combined with statusCode');
    }
    if (delivery.lease !== lease.toLowerCase()) throw new DomainError('LEASE_LOST');
    const at = timeOfId(delivery.lease).getTime();
    const { signatures } = signedBodyOf(delivery, at);
    const outcome: Outcome = {
      attempt: {
        at,
        latencyMs: durationMs,
        statusCode,
        error,
        answer: statusCode === null ? null : logged(Buffer.from(answer ?? '')),
        request: { url: null, signatures },
      },
      result: statusCode === null ? 'failed' : resultOf(statusCode),
      retryAfterMs: null,
    };
    const leased = { ...delivery, lease: delivery.lease };
    if (!(await this.results.report(leased, outcome))) throw new DomainError('LEASE_LOST');
  }

  private async claim(
    endpoint: WorkItem,
    { limit, wait }: PullQuery,
    gone: AbortSignal,
  ): Promise<ClaimedDelivery[]> {
    const ended = AbortSignal.any([gone, this.closing.signal]);
    const until = performance.now() + wait * 1_000;
    for (;;) {
      const claimed = await this.deliveries.claim(endpoint, limit, 'PULL');
      if (gone.aborted) await this.deliveries.release(claimed);
      const left = until - performance.now();
      if (claimed.length > 0 || ended.aborted) return claimed.sort(byTime);
      if (await this.replays.next(endpoint, 'PULL')) continue;
      if (left <= 0) return [];
      await delay(Math.min(LOOK_EVERY_MS, left), null, { signal: ended }).catch(() => undefined);
    }
  }
}
