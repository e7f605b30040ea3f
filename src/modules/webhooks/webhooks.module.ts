import { Module } from '@nestjs/common';
import { DeliveryBell } from './delivery-bell';
import { WebhookEndpointRows } from './webhook-endpoint-rows';
import { WebhookOutbox } from './webhook-outbox';

/** The outbox that other modules write their events to, and the bell that tells of them. */
@Module({
  providers: [WebhookOutbox, WebhookEndpointRows, DeliveryBell],
  exports: [WebhookOutbox, WebhookEndpointRows, DeliveryBell],
})
export class WebhooksModule {}
