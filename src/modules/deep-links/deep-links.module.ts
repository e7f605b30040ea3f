import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ContactsModule } from '../contacts/contacts.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AppPageTokens } from './app-page-tokens';
import { DeepLinkHousekeeping } from './deep-link-housekeeping';
import { DeepLinkRetention } from './deep-link-retention';
import { DeepLinkTokensService } from './deep-link-tokens.service';
import { FirstStarts } from './first-starts';
import { FunnelTracking } from './funnel-tracking';
import { GoalRows } from './goal-rows';
import { JourneyEvents } from './journey-events';
import { JourneyPersonalData } from './journey-personal-data';
import { JourneyRollups } from './journey-rollups';
import { Journeys } from './journeys';
import { LocalDays } from './local-days';
import { MatchedStarts } from './matched-starts';
import { OpenClicks } from './open-clicks';
import { Reengagements } from './reengagements';
import { SessionEventListQuery } from './session-event-list.query';
import { SessionEvents } from './session-events';
import { SessionListQuery } from './session-list.query';
import { SessionRows } from './session-rows';
import { SessionStore } from './session-store';
import { SessionTransitions } from './session-transitions';
import { TokenClicks } from './token-clicks';
import { TokenMatches } from './token-matches';

/** Sessions and what they reach: each keeps its figures in the same transaction. */
const JOURNEYS = [
  SessionListQuery,
  Journeys,
  FunnelTracking,
  SessionEvents,
  SessionEventListQuery,
  SessionTransitions,
  SessionStore,
  TokenClicks,
  TokenMatches,
];

/** What the SDK APIs record beside, and what counts it in the same transaction. */
const FUNNEL = [JourneyRollups, Reengagements];

/** What leads from a click into an app: tokens, sessions, goals, installs. */
@Module({
  imports: [AccessModule, AppsModule, ClicksModule, ContactsModule, WebhooksModule],
  providers: [
    AppPageTokens,
    DeepLinkTokensService,
    DeepLinkHousekeeping,
    DeepLinkRetention,
    FirstStarts,
    GoalRows,
    JourneyEvents,
    JourneyPersonalData,
    LocalDays,
    MatchedStarts,
    OpenClicks,
    SessionRows,
    ...JOURNEYS,
    ...FUNNEL,
  ],
  exports: [AppPageTokens, DeepLinkTokensService, FirstStarts, MatchedStarts, ...JOURNEYS, ...FUNNEL],
})
export class DeepLinksModule {}
