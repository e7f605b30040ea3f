import { Module } from '@nestjs/common';
import { DeliveryWakeUps } from './deliveries/delivery-wake-ups';
import { WebhookEndpointsRepository } from './endpoints/webhook-endpoints.repository';
import { WebhookOutbox } from './outbox/webhook-outbox';

/** The outbox that other modules write their events to, and the wake-up queue of its deliveries. */
@Module({
  providers: [WebhookOutbox, WebhookEndpointsRepository, DeliveryWakeUps],
  exports: [WebhookOutbox, WebhookEndpointsRepository, DeliveryWakeUps],
})
export class WebhookOutboxModule {}
