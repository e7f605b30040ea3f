import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccessModule } from '../../access/access.module';
import { appCors } from '../../access/app-keys/app-cors';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ContactsModule } from '../contacts/contacts.module';
import { AttributionModule } from '../attribution/attribution.module';
import { LinksModule } from '../links/links.module';
import { SessionStatisticsModule } from '../sessions/statistics/session-statistics.module';
import { FunnelService } from './funnel.service';
import { SessionStatisticsController } from './statistics/session-statistics.controller';
import { SessionStatisticsService } from './statistics/session-statistics.service';
import { MemberDataController } from './member-data.controller';
import { SessionEventsController } from './session-events.controller';
import { SessionEventsService } from './session-events.service';
import { SessionLinks } from './session-links';
import { SessionTransition } from './session-transition.entity';
import { SessionsController } from './sessions.controller';
import { SessionsService } from './sessions.service';
import { TransitionsService } from './transitions.service';

/** The Cross-Platform API: apps and sites report their members and sessions. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SessionTransition]),
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
    SessionStatisticsController,
  ],
  providers: [
    FunnelService,
    SessionEventsService,
    SessionsService,
    SessionLinks,
    TransitionsService,
    SessionStatisticsService,
  ],
  exports: [FunnelService],
})
export class CrossPlatformModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(appCors).forRoutes('api/v1/cross-platform/*path');
  }
}
