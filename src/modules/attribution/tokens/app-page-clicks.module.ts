import { Module } from '@nestjs/common';
import { ClickEffect } from '../../click-statistics/counting/click-effect';
import { Visitors } from '../../clicks/visitors';
import { WebhookOutboxModule } from '../../webhooks/webhook-outbox.module';
import { AppPageClicks } from './app-page-clicks';
import { SessionWebhooks } from '../../sessions/events/session-webhooks';
import { SessionRollups } from '../../sessions/rollups/session-rollups';
import { LocalDays } from '../../sessions/rollups/local-days';
import { SessionsRepository } from '../../sessions/sessions.repository';

/** The attribution side effects of counting a click; imported by the process that counts. */
@Module({
  imports: [WebhookOutboxModule],
  providers: [
    { provide: ClickEffect, useClass: AppPageClicks },
    SessionsRepository,
    LocalDays,
    SessionRollups,
    SessionWebhooks,
    Visitors,
  ],
  exports: [ClickEffect],
})
export class AppPageClicksModule {}
