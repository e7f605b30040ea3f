import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { DeliveryRequests } from './api/delivery-requests';
import { FilteredResourcesQuery } from './api/filtered-resources.query';
import { WebhookDeliveriesController } from './api/webhook-deliveries.controller';
import { WebhookDeliveriesService } from './api/webhook-deliveries.service';
import { WebhookEndpointPresenter } from './api/webhook-endpoint-presenter';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller';
import { WebhookEndpointsService } from './api/webhook-endpoints.service';
import { WebhookPullsController } from './api/webhook-pulls.controller';
import { WebhookPullsService } from './api/webhook-pulls.service';
import { DeliveriesProcessor } from './deliveries/deliveries.processor';
import { DeliveriesRepository } from './deliveries/deliveries.repository';
import { DeliveryClient } from './deliveries/delivery-client';
import { DeliveryCountsQuery } from './deliveries/delivery-counts.query';
import { DeliveryLog } from './deliveries/delivery-log';
import { DeliveryMetrics } from './deliveries/delivery-metrics';
import { DeliveryResults } from './deliveries/delivery-results';
import { DeliveryRunner } from './deliveries/delivery-runner';
import { Replays } from './deliveries/replays';
import { WebhookDelivery } from './deliveries/webhook-delivery.entity';
import { EndpointHealth } from './endpoints/endpoint-health';
import { WebhookEndpointRow } from './endpoints/webhook-endpoint.entity';
import { WebhookEndpointsRepository } from './endpoints/webhook-endpoints.repository';
import { OutboxHousekeeping } from './outbox/outbox-housekeeping';
import { WebhookOutboxModule } from './webhook-outbox.module';

@Module({
  imports: [
    AccessModule,
    TypeOrmModule.forFeature([WebhookDelivery, WebhookEndpointRow]),
    WebhookOutboxModule,
  ],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController, WebhookPullsController],
  providers: [
    DeliveryClient,
    DeliveryCountsQuery,
    DeliveryLog,
    DeliveryMetrics,
    DeliveryRequests,
    DeliveryResults,
    DeliveriesProcessor,
    DeliveriesRepository,
    DeliveryRunner,
    EndpointHealth,
    FilteredResourcesQuery,
    OutboxHousekeeping,
    Replays,
    WebhookDeliveriesService,
    WebhookEndpointPresenter,
    WebhookEndpointsRepository,
    WebhookEndpointsService,
    WebhookPullsService,
  ],
  exports: [WebhookEndpointsRepository],
})
export class WebhooksModule {}
