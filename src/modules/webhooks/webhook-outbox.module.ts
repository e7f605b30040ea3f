import { Module } from '@nestjs/common';
import { WakeUpQueueModule } from '../../infrastructure/jobs/wake-up-queue.module';
import { DELIVERIES_QUEUE, WebhookOutbox } from './outbox/webhook-outbox';

/** The outbox to which other modules write events, and the queue that wakes workers for deliveries. */
@Module({
  imports: [WakeUpQueueModule.register({ name: DELIVERIES_QUEUE })],
  providers: [WebhookOutbox],
  exports: [WebhookOutbox, WakeUpQueueModule],
})
export class WebhookOutboxModule {}
