import { Module } from '@nestjs/common';
import { AppPageClicks } from './app-page-clicks';
import { ClickEffect } from '../../click-statistics/counting/click-effect';
import { Visitors } from '../../clicks/visitors';
import { SessionWebhooks } from '../../sessions/events/session-webhooks';
import { SessionRollups } from '../../sessions/rollups/session-rollups';
import { SessionsRepository } from '../../sessions/sessions.repository';
import { WebhookOutboxModule } from '../../webhooks/webhook-outbox.module';

/** Attribution as a side effect of counting a click; imported by the process that counts. */
@Module({
  imports: [WebhookOutboxModule],
  providers: [
    { provide: ClickEffect, useClass: AppPageClicks },
    SessionsRepository,
    SessionRollups,
    SessionWebhooks,
    Visitors,
  ],
  exports: [ClickEffect],
})
export class AppPageClicksModule {}
