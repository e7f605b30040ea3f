import { Module } from '@nestjs/common';
import { ClicksModule } from '../clicks/clicks.module';
import { ContactsModule } from '../contacts/contacts.module';
import { WebhookOutboxModule } from '../webhooks/webhook-outbox.module';
import { FunnelTracking } from './goals/funnel-tracking';
import { GoalRows } from './goals/goals.repository';
import { JourneyEvents } from './events/session-webhooks';
import { JourneyPersonalData } from './session-personal-data';
import { JourneyRollups } from './rollups/session-rollups';
import { Journeys } from './session-journeys';
import { LocalDays } from './rollups/local-days';
import { SessionEventListQuery } from './events/session-event-list.query';
import { SessionEvents } from './events/session-events';
import { SessionListQuery } from './session-list.query';
import { SessionRows } from './sessions.repository';
import { SessionStore } from './session-store';
import { SessionTransitions } from './session-transitions';

/** What other modules use. */
const EXPORTED = [
  FunnelTracking,
  JourneyRollups,
  Journeys,
  SessionEventListQuery,
  SessionEvents,
  SessionListQuery,
  SessionStore,
  SessionTransitions,
];

/** Sessions, the stages and goals they reach, and their events; each change keeps its figures in the same transaction. */
@Module({
  imports: [ClicksModule, ContactsModule, WebhookOutboxModule],
  providers: [GoalRows, JourneyEvents, JourneyPersonalData, LocalDays, SessionRows, ...EXPORTED],
  exports: EXPORTED,
})
export class SessionsModule {}
