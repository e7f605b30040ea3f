import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { Page } from '../../../common/pagination/page';
import {
  AcceptedDeliveryResponse,
  DeliveryLogQuery,
  DeliveryPage,
  DeliveryPath,
  DetailedDeliveryResponse,
  ReplayResponse,
  toDeliveryResponse,
  toDetailedDeliveryResponse,
} from './webhook-deliveries.dto';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { ReplayRequest, WebhookPath } from './webhook-endpoints.dto';

@Access({ key: 'service', scope: 'webhooks' })
@ServiceController('', 'Webhooks')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Post('webhooks/:id/test')
  @ApiEndpoint({
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends a `webhook.test` event to this endpoint only. For a disabled endpoint, 409 WEBHOOK_DISABLED.',
    response: { status: 202, type: AcceptedDeliveryResponse, description: 'The delivery is due' },
    errors: ['WEBHOOK_DISABLED'],
  })
  async test(@Caller() caller: Caller, @Param() { id }: WebhookPath): Promise<AcceptedDeliveryResponse> {
    return { deliveryId: await this.deliveries.test(caller, id) };
  }

  @Get('webhooks/:id/deliveries')
  @ApiEndpoint({
    operationId: 'listWebhookDeliveries',
    summary: 'Get the delivery log',
    description:
      'Deliveries of the last 30 days, newest first, with every attempt. `totalElements` and pages end at 10,000: filter ' +
      'by time to see more.',
    response: { type: DeliveryPage, description: 'A page of deliveries' },
  })
  async list(
    @Caller() caller: Caller,
    @Param() { id }: WebhookPath,
    @Query() query: DeliveryLogQuery,
  ): Promise<DeliveryPage> {
    const [rows, total] = await this.deliveries.list(caller, id, query);
    return Page.of(rows.map(toDeliveryResponse), total, query);
  }

  @Get('deliveries/:deliveryId')
  @ApiEndpoint({
    operationId: 'getWebhookDelivery',
    summary: 'Get a delivery with its requests',
    description:
      'The body, and for each attempt the URL and the headers that were sent, beside the response. A delivery of a ' +
      'deleted endpoint is NOT_FOUND.',
    response: { type: DetailedDeliveryResponse, description: 'The delivery' },
  })
  async get(
    @Caller() caller: Caller,
    @Param() { deliveryId }: DeliveryPath,
  ): Promise<DetailedDeliveryResponse> {
    return toDetailedDeliveryResponse(await this.deliveries.get(caller, deliveryId));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @ApiEndpoint({
    operationId: 'redeliverWebhook',
    summary: 'Redeliver an event',
    description:
      'Repeats the delivery with the same `delivery_id` and body, immediately and with all attempts, whether or not it ' +
      'succeeded before. For a disabled endpoint, 409 WEBHOOK_DISABLED.',
    response: { status: 202, type: AcceptedDeliveryResponse, description: 'The delivery is due' },
    errors: ['WEBHOOK_DISABLED'],
  })
  async redeliver(
    @Caller() caller: Caller,
    @Param() { deliveryId }: DeliveryPath,
  ): Promise<AcceptedDeliveryResponse> {
    await this.deliveries.redeliver(caller, deliveryId);
    return { deliveryId };
  }

  @Post('webhooks/:id/replay')
  @ApiEndpoint({
    operationId: 'replayWebhook',
    summary: 'Replay events since a time',
    description:
      'Asynchronously delivers every stored event to which the endpoint subscribes, oldest first: events delivered ' +
      'before, under the same `delivery_id`, and events from before the endpoint was created, if another endpoint subscribed to them then, or while it was ' +
      'disabled. ' +
      'A replay in progress that starts as early is only extended.',
    response: { status: 202, type: ReplayResponse, description: 'The replay has started' },
    errors: ['WEBHOOK_DISABLED'],
  })
  async replay(
    @Caller() caller: Caller,
    @Param() { id }: WebhookPath,
    @Body() { since }: ReplayRequest,
  ): Promise<ReplayResponse> {
    return { since: await this.deliveries.replay(caller, id, since) };
  }
}
