import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { DeliveryRequests } from './console/delivery-requests';
import { WebhookDeliveriesConsoleController } from './console/webhook-deliveries.console.controller';
import { WebhookDeliveriesService } from './console/webhook-deliveries.service';
import { WebhookEndpointsConsoleController } from './console/webhook-endpoints.console.controller';
import { WebhookEndpointsService } from './console/webhook-endpoints.service';
import { DeliveryRows } from './deliveries/deliveries.repository';
import { DeliveryClient } from './deliveries/delivery-client';
import { DeliveryLog } from './deliveries/delivery-log';
import { DeliveryMetrics } from './deliveries/delivery-metrics';
import { DeliveryResults } from './deliveries/delivery-results';
import { DeliveryRunner } from './deliveries/delivery-runner';
import { DeliverySchedule } from './deliveries/delivery-schedule';
import { Replays } from './deliveries/replays';
import { EndpointAudit } from './endpoints/endpoint-audit';
import { EndpointHealth } from './endpoints/endpoint-health';
import { OutboxHousekeeping } from './outbox/outbox-housekeeping';
import { WebhookOutboxModule } from './webhook-outbox.module';

/** Webhooks: the endpoints of the console, and the deliveries of what the outbox holds. */
@Module({
  imports: [AccessModule, WebhookOutboxModule],
  controllers: [WebhookEndpointsConsoleController, WebhookDeliveriesConsoleController],
  providers: [
    DeliveryClient,
    DeliveryLog,
    DeliveryMetrics,
    DeliveryRequests,
    DeliveryResults,
    DeliveryRows,
    DeliveryRunner,
    DeliverySchedule,
    EndpointAudit,
    EndpointHealth,
    OutboxHousekeeping,
    Replays,
    WebhookDeliveriesService,
    WebhookEndpointsService,
  ],
})
export class WebhooksModule {}
