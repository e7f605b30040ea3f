import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ContactsModule } from '../contacts/contacts.module';
import { AttributionModule } from '../attribution/attribution.module';
import { LinksModule } from '../links/links.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { FunnelService } from './funnel.service';
import { JourneyStatisticsController } from './statistics/session-statistics.controller';
import { JourneyStatisticsService } from './statistics/session-statistics.service';
import { ListedSessionsService } from './listed-sessions.service';
import { MemberDataController } from './member-data.controller';
import { SessionEventsController } from './session-events.controller';
import { SessionEventsService } from './session-events.service';
import { SessionTargets } from './session-links';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { TransitionsService } from './transitions.service';

/** What apps and sites report of their members and their journeys, whatever they run on. */
@Module({
  imports: [
    AccessModule,
    CampaignsModule,
    ContactsModule,
    AttributionModule,
    LinksModule,
    SessionStatisticsModule,
  ],
  controllers: [
    MemberDataController,
    SessionEventsController,
    SessionsController,
    JourneyStatisticsController,
  ],
  providers: [
    FunnelService,
    SessionEventsService,
    SessionsService,
    SessionTargets,
    TransitionsService,
    JourneyStatisticsService,
    ListedSessionsService,
  ],
  exports: [FunnelService],
})
export class CrossPlatformModule {}
