import { Module } from '@nestjs/common';
import { DeliveryWakeUps } from './deliveries/delivery-wake-ups';
import { WebhookEndpointRows } from './endpoints/webhook-endpoints.repository';
import { WebhookOutbox } from './outbox/webhook-outbox';

/** The outbox that other modules write their events to, and the wake-up queue of its deliveries. */
@Module({
  providers: [WebhookOutbox, WebhookEndpointRows, DeliveryWakeUps],
  exports: [WebhookOutbox, WebhookEndpointRows, DeliveryWakeUps],
})
export class WebhookOutboxModule {}
