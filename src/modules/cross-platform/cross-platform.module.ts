import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ContactsModule } from '../contacts/contacts.module';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { LinksModule } from '../links/links.module';
import { StatisticsModule } from '../statistics/statistics.module';
import { FunnelService } from './funnel.service';
import { JourneyStatisticsController } from './journey-statistics.controller';
import { JourneyStatisticsService } from './journey-statistics.service';
import { ListedSessionsService } from './listed-sessions.service';
import { MemberDataController } from './member-data.controller';
import { SessionEventsController } from './session-events.controller';
import { SessionEventsService } from './session-events.service';
import { SessionTargets } from './session-targets';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { TransitionsService } from './transitions.service';

/** What apps and sites report of their members and their journeys, whatever they run on. */
@Module({
  imports: [AccessModule, CampaignsModule, ContactsModule, DeepLinksModule, LinksModule, StatisticsModule],
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
