import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../../../common/logging/logger';
import type { ClaimedDelivery } from './delivery';
import { DeliveryClient } from './delivery-client';
import { ConcurrencyPool } from './concurrency-pool';
import { DeliveryResults } from './delivery-results';
import { DeliveriesRepository } from './deliveries.repository';
import { EndpointState } from './endpoint-state';
import { OrganizationCache } from '../../../access/organizations/organization-cache';
import { Replays } from './replays';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';

/** Attempts that a process makes at once, and those of endpoints that are slow. */
const FAST_SLOTS = 100;
const SLOW_SLOTS = 256;
/** So long an attempt may hold a fast slot: who takes more is slow, and goes on without. */
const FAST_MS = 1_000;
/** A stop waits so long for attempts that run. */
const STOP_MS = 4_000;

/**
 * Delivers what is due. Each endpoint has a few attempts at a time, and slow ones have slots of their own, so that
 * nobody waits for another's receiver: a fast slot is held for a second at most, whatever is behind it.
 */
@Injectable()
export class DeliveryRunner {
  private readonly logger = new Logger(DeliveryRunner.name);
  private readonly lines = new Map<number, EndpointState>();
  private readonly fast = new ConcurrencyPool(FAST_SLOTS, (id) => void this.wake(id));
  private readonly slow = new ConcurrencyPool(SLOW_SLOTS, (id) => void this.wake(id));
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

  /** Delivers what is due to an endpoint. Resolves when it is on its way; never rejects. */
  async wake(endpointId: number): Promise<void> {
    const line = this.lines.get(endpointId) ?? new EndpointState(endpointId);
    this.lines.set(endpointId, line);
    line.ask();
    if (line.looking) return;
    line.looking = true;
    try {
      while (!this.stopping && line.heed()) await this.look(line);
    } catch (error) {
      this.logger.warn(`Webhooks of endpoint ${endpointId} wait: ${describeError(error).message}`);
    } finally {
      line.looking = false;
      this.forgetIdle(line);
    }
  }

  /** Keeps what runs from being taken for a killed worker's; never rejects. */
  async renew(): Promise<void> {
    const running = [...this.running.keys()];
    if (running.length === 0) return;
    await this.rows.renew(running).catch((error: unknown) => {
      this.logger.warn(`Leases of webhooks were not renewed: ${describeError(error).message}`);
    });
  }

  /** Lets attempts that run end, for a while, and gives back what has not. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.race([Promise.all(this.running.values()), delay(STOP_MS, null, { ref: false })]);
    await this.results.flush();
    const left = [...this.running.keys()];
    if (left.length > 0) await this.rows.release(left).catch(() => undefined);
  }

  private async look(line: EndpointState): Promise<void> {
    const { room } = line;
    line.more = true;
    if (room === 0) {
      // Whatever runs looks again when it ends; a rest has to be waited for.
      if (line.running === 0) this.lookAgain(line);
      return;
    }
    const lane = line.slow ? this.slow : this.fast;
    const slots = lane.take(line.endpointId, room);
    if (slots === 0) return;
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await this.claim(line, slots);
    } finally {
      lane.give(slots - claimed.length);
    }
    line.more = claimed.length === slots || claimed.some(({ replaying }) => replaying);
    for (const delivery of claimed) this.start(line, lane, delivery);
    if (claimed.length === 0 && (await this.replays.next(line.endpointId))) line.ask();
  }

  private async claim(line: EndpointState, slots: number): Promise<ClaimedDelivery[]> {
    const claimed = await this.rows.claim(line.endpointId, slots);
    const [first] = claimed;
    if (!first || (await this.organizations.get(first.organizationId)) !== null) return claimed;
    await this.endpoints.end(line.endpointId);
    return [];
  }

  private start(line: EndpointState, lane: ConcurrencyPool, delivery: ClaimedDelivery): void {
    line.running++;
    const attempt = this.attempt(line, lane, delivery).finally(() => {
      this.running.delete(delivery);
      line.running--;
      if (line.more) this.lookAgain(line);
      this.forgetIdle(line);
    });
    this.running.set(delivery, attempt);
  }

  private async attempt(
    line: EndpointState,
    lane: ConcurrencyPool,
    delivery: ClaimedDelivery,
  ): Promise<void> {
    const startedAt = performance.now();
    let held = true;
    const giveBack = () => {
      if (held) lane.give(1);
      held = false;
    };
    const slow = setTimeout(() => {
      line.slow = true;
      if (lane === this.fast) giveBack();
    }, FAST_MS);
    const outcome = await this.client.post(delivery);
    clearTimeout(slow);
    giveBack();
    line.ended(outcome.result === 'delivered', performance.now() - startedAt, FAST_MS);
    this.results.add(delivery, outcome);
  }

  /** After its rest, if it has to have one. */
  private lookAgain(line: EndpointState): void {
    const { rest } = line;
    if (rest === 0) void this.wake(line.endpointId);
    if (rest === 0 || line.resting) return;
    line.resting = true;
    const wake = () => {
      line.resting = false;
      void this.wake(line.endpointId);
    };
    setTimeout(wake, rest).unref();
  }

  private forgetIdle(line: EndpointState): void {
    if (line.idle) this.lines.delete(line.endpointId);
  }
}
