import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { Page } from '../../../common/pagination/page';
import {
  AcceptedDeliveryResponse,
  DeliveryLogQuery,
  DeliveryPage,
  DeliveryPath,
  ReplayResponse,
  toDeliveryResponse,
} from './webhook-deliveries.dto';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { ReplayRequest, WebhookPath } from './webhook-endpoints.dto';

@ApiTags('Console: webhooks')
@Access({ key: 'console' })
@Controller('api/v1/console/organizations/:orgId')
export class WebhookDeliveriesConsoleController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Post('webhooks/:id/test')
  @ApiEndpoint({
    operationId: 'testWebhook',
    summary: 'Send a test event to a webhook endpoint',
    description: 'A `webhook.test` for this endpoint alone. A disabled one is 409 WEBHOOK_DISABLED.',
    response: { status: 202, type: AcceptedDeliveryResponse, description: 'It is on its way' },
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
      'The last 30 days, newest first, with every attempt. `totalElements` is counted up to 10,000, and pages end ' +
      'there: narrow the time to see more.',
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

  @Post('deliveries/:deliveryId/redeliver')
  @ApiEndpoint({
    operationId: 'redeliverWebhook',
    summary: 'Redeliver an event',
    description:
      'The same delivery with the same `delivery_id` and body, at once and with all of its attempts, whether or not ' +
      'it was taken before. That of a disabled endpoint is 409 WEBHOOK_DISABLED.',
    response: { status: 202, type: AcceptedDeliveryResponse, description: 'It is on its way' },
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
      'Every kept event that the endpoint subscribes to, the oldest first, behind the answer: those that were ' +
      'delivered before under the same `delivery_id`, and those from before the endpoint was there or while it was ' +
      'disabled. One that is under way and goes back as far does it all.',
    response: { status: 202, type: ReplayResponse, description: 'It is under way' },
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
