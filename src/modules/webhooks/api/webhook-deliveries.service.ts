import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/caller';
import { NotFound, ValidationFailed } from '../../../common/errors/errors';
import { toDateTime } from '../../../common/time/format';
import { Clock } from '../../../common/time/clock';
import { parseDateTime, parseStart } from '../../../common/time/parse';
import { DeliveriesRepository } from '../deliveries/deliveries.repository';
import { DeliveryLog, type DetailedDelivery, type LoggedDelivery } from '../deliveries/delivery-log';
import { Replays } from '../deliveries/replays';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository';
import type { WebhookTested } from '../events/event-data.dto';
import { WebhookOutbox } from '../outbox/webhook-outbox';
import { DeliveryRequests } from './delivery-requests';
import type { DeliveryLogQuery } from './webhook-deliveries.dto';
import { DomainError } from '../../../common/errors/domain-error';
import type { Tx } from '../../../infrastructure/database/database';

/** The delivery log, and deliveries on request: tests, redeliveries and replays. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: WebhookOutbox,
    private readonly replays: Replays,
    private readonly log: DeliveryLog,
    private readonly requests: DeliveryRequests,
    private readonly clock: Clock,
  ) {}

  /** Deliveries, newest first. @throws NotFound, ValidationFailed */
  async list(
    { organizationId }: Caller,
    id: number,
    query: DeliveryLogQuery,
  ): Promise<[rows: LoggedDelivery[], total: number]> {
    await this.endpoints.get(organizationId, id);
    const { page, size } = query;
    const filter = {
      organizationId,
      endpointId: id,
      status: query.status ?? null,
      event: query.event ?? null,
      from: parseStart(query.from ?? ''),
      to: parseDateTime(query.to ?? ''),
    };
    if (filter.from && filter.to && filter.from > filter.to) {
      throw ValidationFailed.field('from', 'must not be after to');
    }
    return this.log.list(filter, page, size);
  }

  /** @throws NotFound */
  async get({ organizationId }: Caller, deliveryId: string): Promise<DetailedDelivery> {
    const delivery = await this.log.find(organizationId, deliveryId);
    if (!delivery) throw new NotFound('Delivery');
    return delivery;
  }

  /** @returns the id of the delivery @throws NotFound, WEBHOOK_DISABLED */
  test(caller: Caller, id: number): Promise<string> {
    const { organizationId } = caller;
    const data: WebhookTested = { message: 'Waypost reaches this endpoint ✓' };
    return this.requests.run(caller, 'test', async (tx) => {
      await this.lockEnabled(tx, caller, id);
      const deliveryId = await this.outbox.addFor(tx, id, { name: 'webhook.test', organizationId, data });
      return { endpointId: id, about: { deliveryId }, result: deliveryId };
    });
  }

  /** @throws NotFound, WEBHOOK_DISABLED */
  async redeliver(caller: Caller, deliveryId: string): Promise<void> {
    await this.requests.run(caller, 'redeliver', async (tx) => {
      const endpointId = await this.deliveries.redeliver(tx, caller.organizationId, deliveryId);
      if (endpointId === null) throw new NotFound('Delivery');
      await this.lockEnabled(tx, caller, endpointId, 'Delivery');
      return { endpointId, about: { deliveryId }, result: undefined };
    });
  }

  /** @returns the start of the replay @throws NotFound, ValidationFailed, WEBHOOK_DISABLED */
  replay(caller: Caller, id: number, text: string): Promise<string> {
    const from = parseStart(text);
    if (!from) throw ValidationFailed.field('since', 'must be a date-time');
    if (from.getTime() > this.clock.now()) throw ValidationFailed.field('since', 'must not be in the future');
    const since = toDateTime(from);
    return this.requests.run(caller, 'replay', async (tx) => {
      await this.lockEnabled(tx, caller, id);
      await this.replays.start(tx, caller.organizationId, id, from);
      return { endpointId: id, about: { since }, result: since };
    });
  }

  private async lockEnabled(tx: Tx, { organizationId }: Caller, id: number, what?: string): Promise<void> {
    const endpoint = await this.endpoints.lock(tx, organizationId, id, what);
    if (!endpoint.enabled) throw new DomainError('WEBHOOK_DISABLED');
  }
}
