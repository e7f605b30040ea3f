import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock';
import { DeliveryCountsQuery, NO_DELIVERIES } from '../deliveries/delivery-counts.query';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint';
import {
  toWebhookResponse,
  type WebhookResponse,
  type WebhookWithSecretResponse,
} from './webhook-endpoints.dto';

@Injectable()
export class WebhookEndpointPresenter {
  constructor(
    private readonly counts: DeliveryCountsQuery,
    private readonly clock: Clock,
  ) {}

  /** @param endpoints of the organization */
  async list(organizationId: number, endpoints: readonly WebhookEndpoint[]): Promise<WebhookResponse[]> {
    const now = this.clock.now();
    const ids = endpoints.map(({ id }) => id);
    const counts = await this.counts.run(organizationId, ids);
    return endpoints.map((each) => toWebhookResponse(each, counts.get(each.id) ?? NO_DELIVERIES, now));
  }

  async of(endpoint: WebhookEndpoint): Promise<WebhookResponse> {
    const counts = await this.counts.run(endpoint.organizationId, [endpoint.id]);
    return toWebhookResponse(endpoint, counts.get(endpoint.id) ?? NO_DELIVERIES, this.clock.now());
  }

  async withSecret(endpoint: WebhookEndpoint): Promise<WebhookWithSecretResponse> {
    return Object.assign(await this.of(endpoint), { secret: endpoint.secrets[0]?.value ?? '' });
  }
}
