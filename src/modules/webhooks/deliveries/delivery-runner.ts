import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { FairSlots } from '../../../common/fair-slots';
import { describeError } from '../../../common/logging/logger';
import type { WorkItem } from '../../../infrastructure/jobs/wake-up-queue';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import { DeliveriesRepository } from './deliveries.repository';
import type { ClaimedDelivery } from '../delivery';
import { DeliveryClient } from './delivery-client';
import { DeliveryResults } from './delivery-results';
import { EndpointState } from './endpoint-state';
import { Replays } from './replays';

/** Concurrent attempts of a process, for fast and for slow endpoints. */
const FAST_SLOTS = 200;
const SLOW_SLOTS = 256;
/** An attempt that takes longer is slow, and releases its fast slot while it continues. */
const SLOW_AFTER_MS = 1_000;
/** How long a shutdown waits for running attempts. */
const STOP_TIMEOUT_MS = 4_000;

/**
 * Delivers what is due. No receiver delays the deliveries to others: an endpoint has a few attempts at a time, slow
 * endpoints use separate slots, and organizations share both kinds of slots fairly. An attempt holds a fast slot for a
 * second at most.
 */
@Injectable()
export class DeliveryRunner {
  private readonly logger = new Logger(DeliveryRunner.name);
  private readonly states = new Map<number, EndpointState>();
  private readonly fast = new FairSlots(FAST_SLOTS);
  private readonly slow = new FairSlots(SLOW_SLOTS);
  private readonly running = new Map<ClaimedDelivery, Promise<void>>();
  private stopping = false;

  constructor(
    private readonly rows: DeliveriesRepository,
    private readonly client: DeliveryClient,
    private readonly results: DeliveryResults,
    private readonly replays: Replays,
    private readonly organizations: OrganizationCache,
    private readonly endpoints: WebhookEndpointsRepository,
  ) {}

  /** Starts the deliveries that are due to an endpoint. Resolves once they have started, and never rejects. */
  async wake(endpoint: WorkItem): Promise<void> {
    const state = this.states.get(endpoint.id) ?? new EndpointState(endpoint);
    this.states.set(endpoint.id, state);
    state.request();
    if (state.claiming) return;
    state.claiming = true;
    try {
      while (!this.stopping && state.takeRequest()) await this.startDue(state);
    } catch (error) {
      this.logger.warn(
        `Webhooks of endpoint ${endpoint.id} wait for the next sweep: ${describeError(error).message}`,
      );
    } finally {
      state.claiming = false;
      this.dropIdle(state);
    }
  }

  /** Renews the leases of running attempts. Never rejects. */
  async renew(): Promise<void> {
    const running = [...this.running.keys()];
    if (running.length === 0) return;
    await this.rows.renew(running).catch((error: unknown) => {
      this.logger.warn(`Leases of webhooks were not renewed: ${describeError(error).message}`);
    });
  }

  /** Waits for running attempts, up to a time limit, and releases the rest. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.race([Promise.all(this.running.values()), delay(STOP_TIMEOUT_MS, null, { ref: false })]);
    await this.results.flush();
    const left = [...this.running.keys()];
    if (left.length > 0) await this.rows.release(left).catch(() => undefined);
  }

  private async startDue(state: EndpointState): Promise<void> {
    const { capacity } = state;
    state.more = true;
    if (capacity === 0) {
      // The end of a running attempt wakes the endpoint; without one, a pause needs a timer.
      if (state.running === 0) this.wakeAfterPause(state);
      return;
    }
    const pool = state.slow ? this.slow : this.fast;
    const { organizationId, id } = state.endpoint;
    const slots = pool.take(organizationId, capacity);
    if (slots === 0) {
      pool.wait(organizationId, id, () => void this.wake(state.endpoint));
      return;
    }
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await this.claim(state, slots);
    } finally {
      pool.release(organizationId, slots - claimed.length);
    }
    state.more = claimed.length === slots || claimed.some(({ replaying }) => replaying);
    for (const delivery of claimed) this.start(state, pool, delivery);
    if (claimed.length === 0 && (await this.replays.next(state.endpoint, 'PUSH'))) state.request();
  }

  private async claim({ endpoint }: EndpointState, slots: number): Promise<ClaimedDelivery[]> {
    const { organizationId, id } = endpoint;
    const claimed = await this.rows.claim(endpoint, slots, 'PUSH');
    if (claimed.length === 0 || (await this.organizations.get(organizationId)) !== null) return claimed;
    await this.endpoints.removeOrphan(organizationId, id);
    return [];
  }

  private start(state: EndpointState, pool: FairSlots, delivery: ClaimedDelivery): void {
    state.running++;
    const attempt = this.attempt(state, pool, delivery).finally(() => {
      this.running.delete(delivery);
      state.running--;
      if (state.more) this.wakeAfterPause(state);
      this.dropIdle(state);
    });
    this.running.set(delivery, attempt);
  }

  private async attempt(state: EndpointState, pool: FairSlots, delivery: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now();
    let held = true;
    const release = () => {
      if (held) pool.release(delivery.organizationId, 1);
      held = false;
    };
    const slow = setTimeout(() => {
      state.slow = true;
      if (pool === this.fast) release();
    }, SLOW_AFTER_MS);
    const outcome = await this.client.post(delivery);
    clearTimeout(slow);
    release();
    state.attempted(outcome.result === 'delivered', performance.now() - startedAt, SLOW_AFTER_MS);
    this.results.add(delivery, outcome);
  }

  private wakeAfterPause(state: EndpointState): void {
    const { pause } = state;
    if (pause === 0) void this.wake(state.endpoint);
    if (pause === 0 || state.pausing) return;
    state.pausing = true;
    const wake = () => {
      state.pausing = false;
      void this.wake(state.endpoint);
    };
    setTimeout(wake, pause).unref();
  }

  private dropIdle(state: EndpointState): void {
    if (state.idle) this.states.delete(state.endpoint.id);
  }
}
