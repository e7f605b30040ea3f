import { Module } from '@nestjs/common';
import { ClickEffect } from '../../click-statistics/counting/click-effect';
import { Visitors } from '../../clicks/visitors';
import { WebhookOutboxModule } from '../../webhooks/webhook-outbox.module';
import { AppPageClicks } from './app-page-clicks';
import { JourneyEvents } from '../../sessions/events/session-webhooks';
import { JourneyRollups } from '../../sessions/rollups/session-rollups';
import { LocalDays } from '../../sessions/rollups/local-days';
import { SessionRows } from '../../sessions/sessions.repository';

/** What deep links add to the counting of clicks; it runs where clicks are counted. */
@Module({
  imports: [WebhookOutboxModule],
  providers: [
    { provide: ClickEffect, useClass: AppPageClicks },
    SessionRows,
    LocalDays,
    JourneyRollups,
    JourneyEvents,
    Visitors,
  ],
  exports: [ClickEffect],
})
export class AppPageClicksModule {}
