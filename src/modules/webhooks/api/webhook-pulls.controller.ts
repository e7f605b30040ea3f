import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../../access/access.decorator';
import { Caller } from '../../../access/caller';
import { ServiceController } from '../../../access/service-controller';
import { ApiBodyExample } from '../../../common/http/api-body-content';
import { ApiEndpoint } from '../../../common/http/api-endpoint';
import { DeliveryPath, DeliveryResponse, toDeliveryResponse } from './webhook-deliveries.dto';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookPath } from './webhook-endpoints.dto';
import {
  DeliveryResultRequest,
  LEASE,
  PulledDeliveriesResponse,
  PullQuery,
  toPulledDeliveryResponse,
} from './webhook-pulls.dto';
import { WebhookPullsService } from './webhook-pulls.service';

/** Calls per minute of an organization, for each operation: a busy listener reports every delivery. */
const RATE_PER_MINUTE = 600;

@ServiceController('', 'Webhooks')
@Access({ key: 'service', scope: 'webhooks:write', ratePerMinute: RATE_PER_MINUTE })
export class WebhookPullsController {
  constructor(
    private readonly pulls: WebhookPullsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Get('webhooks/:id/pending')
  @ApiEndpoint({
    operationId: 'pullWebhook',
    summary: 'Pull due deliveries',
    description:
      'For endpoints with `delivery` PULL: the requests that an endpoint with a URL would receive, as soon as there are ' +
      'any. Each is leased for 30 seconds: unless its result is reported (`reportWebhookDelivery`), it can then be ' +
      'pulled again. An endpoint that is not pulled for 24 hours is disabled. For one with a URL, 409 WEBHOOK_PUSHED. ' +
      'Open pulls count as `liveListeners`. Up to ' +
      `${RATE_PER_MINUTE} calls per minute, whatever the rate of the organization.`,
    response: { type: PulledDeliveriesResponse, description: 'The deliveries' },
    errors: ['WEBHOOK_PUSHED', 'WEBHOOK_DISABLED', 'LIMIT_REACHED'],
  })
  async pull(
    @Caller() caller: Caller,
    @Param() { id }: WebhookPath,
    @Query() query: PullQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PulledDeliveriesResponse> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const deliveries = await this.pulls.pull(caller, id, query, gone.signal);
    return { deliveries: deliveries.map(toPulledDeliveryResponse) };
  }

  @Post('deliveries/:deliveryId/result')
  @ApiBodyExample({ lease: LEASE, statusCode: 204, durationMs: 84 })
  @ApiEndpoint({
    operationId: 'reportWebhookDelivery',
    summary: 'Report the result of a pulled delivery',
    description:
      'Ends the attempt, as a response to a push does: 2xx accepts the delivery, 410 disables the endpoint, everything ' +
      'else is tried again on the usual schedule. LEASE_LOST if the delivery has been pulled again meanwhile, or its ' +
      `result was reported. Up to ${RATE_PER_MINUTE} calls per minute, whatever the rate of the organization.`,
    response: { type: DeliveryResponse, description: 'The delivery with this attempt' },
    errors: ['LEASE_LOST'],
  })
  async report(
    @Caller() caller: Caller,
    @Param() { deliveryId }: DeliveryPath,
    @Body() body: DeliveryResultRequest,
  ): Promise<DeliveryResponse> {
    await this.pulls.report(caller, deliveryId, body);
    return toDeliveryResponse(await this.deliveries.get(caller, deliveryId));
  }
}
