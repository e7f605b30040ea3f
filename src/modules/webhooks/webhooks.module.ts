import { Module } from '@nestjs/common';
import { OutboxHousekeeping } from './outbox-housekeeping';
import { WebhookOutbox } from './webhook-outbox';

/** Webhooks: for now, the outbox that other modules write their events to. */
@Module({ providers: [WebhookOutbox, OutboxHousekeeping], exports: [WebhookOutbox] })
export class WebhooksModule {}
