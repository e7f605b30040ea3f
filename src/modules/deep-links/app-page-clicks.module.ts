import { Module } from '@nestjs/common';
import { ClickEffect } from '../clicks/click-effect';
import { Visitors } from '../clicks/visitors';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AppPageClicks } from './app-page-clicks';
import { JourneyEvents } from './journey-events';
import { JourneyRollups } from './journey-rollups';
import { LocalDays } from './local-days';
import { SessionRows } from './session-rows';

/** What deep links add to the counting of clicks; it runs where clicks are counted. */
@Module({
  imports: [WebhooksModule],
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
