import { Module } from '@nestjs/common';
import { ClickEffect } from '../clicks/click-effect';
import { Visitors } from '../clicks/visitors';
import { AppPageClicks } from './app-page-clicks';
import { FunnelRollups } from './funnel-rollups';
import { FunnelSessions } from './funnel-sessions';

/** What deep links add to the counting of clicks; it runs where clicks are counted. */
@Module({
  providers: [{ provide: ClickEffect, useClass: AppPageClicks }, FunnelSessions, FunnelRollups, Visitors],
  exports: [ClickEffect],
})
export class AppPageClicksModule {}
