import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { WebhookDeliveriesModule } from '../webhooks/webhook-deliveries.module';
import { DeliveryRequests } from './delivery-requests';
import { OrganizationOwner } from './organization-owner';
import { WebhookDeliveriesConsoleController } from './webhook-deliveries.console.controller';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookEndpointsConsoleController } from './webhook-endpoints.console.controller';
import { WebhookEndpointsService } from './webhook-endpoints.service';

/** Webhooks as the console sees them: endpoints, secrets, the log of deliveries. */
@Module({
  imports: [AccessModule, WebhookDeliveriesModule],
  controllers: [WebhookEndpointsConsoleController, WebhookDeliveriesConsoleController],
  providers: [WebhookEndpointsService, WebhookDeliveriesService, DeliveryRequests, OrganizationOwner],
})
export class WebhookEndpointsModule {}
