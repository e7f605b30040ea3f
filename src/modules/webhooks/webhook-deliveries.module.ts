import { Module } from '@nestjs/common';
import { DeliveryClient } from './delivery-client';
import { DeliveryLog } from './delivery-log';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryResults } from './delivery-results';
import { DeliveryRows } from './delivery-rows';
import { DeliveryRunner } from './delivery-runner';
import { DeliverySchedule } from './delivery-schedule';
import { EndpointHealth } from './endpoint-health';
import { EndpointOwners } from './endpoint-owners';
import { OutboxHousekeeping } from './outbox-housekeeping';
import { Replays } from './replays';
import { WebhooksModule } from './webhooks.module';

/** Delivers what the outbox holds. */
@Module({
  imports: [WebhooksModule],
  providers: [
    DeliveryRows,
    DeliveryLog,
    DeliveryClient,
    DeliveryResults,
    DeliveryMetrics,
    DeliveryRunner,
    DeliverySchedule,
    EndpointHealth,
    EndpointOwners,
    Replays,
    OutboxHousekeeping,
  ],
  exports: [WebhooksModule, DeliveryRows, DeliveryLog, EndpointOwners, Replays],
})
export class WebhookDeliveriesModule {}
