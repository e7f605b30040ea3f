import { Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/clicks.module';
import { ClickStatisticsModule } from '../click-statistics/click-statistics.module';
import { ContactsModule } from '../contacts/contacts.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { FunnelTracking } from './goals/funnel-tracking';
import { GoalsRepository } from './goals/goals.repository';
import { SessionWebhooks } from './events/session-webhooks';
import { SessionPersonalData } from './session-personal-data';
import { SessionRollups } from './rollups/session-rollups';
import { SessionLifecycle } from './session-lifecycle';
import { LocalDays } from './rollups/local-days';
import { SessionEventListQuery } from './events/session-event-list.query';
import { SessionEvents } from './events/session-events';
import { SessionListQuery } from './session-list.query';
import { SessionsRepository } from './sessions.repository';
import { SessionStore } from './session-store';

const PROVIDERS = [
  FunnelTracking,
  GoalsRepository,
  SessionWebhooks,
  SessionPersonalData,
  SessionRollups,
  SessionLifecycle,
  LocalDays,
  SessionEventListQuery,
  SessionEvents,
  SessionListQuery,
  SessionsRepository,
  SessionStore,
];

/** Sessions with their stages, goals and events. Every change updates the rollups in the same transaction. */
@Module({
  imports: [ClickStatisticsModule, ClicksModule, ContactsModule, WebhookOutboxModule],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class SessionsModule {}
