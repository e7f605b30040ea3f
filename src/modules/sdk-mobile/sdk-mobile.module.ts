import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { appCors } from '../../access/app-keys/app-cors';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ContactsModule } from '../contacts/contacts.module';
import { CrossPlatformModule } from '../cross-platform/cross-platform.module';
import { AttributionModule } from '../attribution/attribution.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { TrackedLinksModule } from '../tracked-links/tracked-links.module';
import { LinkPasswordCheck } from './resolutions/link-password-check';
import { ResolutionStats } from './resolutions/resolution-stats';
import { UnexpiredTrackedLinks } from './resolutions/unexpired-tracked-links';
import { DeepLinkMatches } from './deep-links/deep-link-matches.service';
import { FingerprintsController } from './fingerprints/fingerprints.controller';
import { FingerprintsService } from './fingerprints/fingerprints.service';
import { LinkAssociationsRepository } from './associations/link-associations.repository';
import { LinkAssociationsController } from './associations/link-associations.controller';
import { LinkAssociations } from './associations/link-associations.service';
import { LinkOpenings } from './resolutions/link-openings';
import { MobileClicks } from './clicks/mobile-clicks.service';
import { MobileClicksController } from './clicks/mobile-clicks.controller';
import { MobileDeepLinksController } from './deep-links/mobile-deep-links.controller';
import { MobileDomainsController } from './mobile-domains.controller';
import { MobileMembersController } from './mobile-members.controller';
import { MobileResolutionsController } from './resolutions/mobile-resolutions.controller';
import { OwnedLinks } from './resolutions/owned-links';
import { LinkResolutions } from './resolutions/link-resolutions';

/** The Mobile SDK API, which apps call with their own key. */
@Module({
  imports: [
    AccessModule,
    AppsModule,
    CampaignsModule,
    ClicksModule,
    ContactsModule,
    CrossPlatformModule,
    AttributionModule,
    DomainsModule,
    LinksModule,
    TrackedLinksModule,
  ],
  controllers: [
    MobileDeepLinksController,
    MobileResolutionsController,
    FingerprintsController,
    MobileClicksController,
    LinkAssociationsController,
    MobileMembersController,
    MobileDomainsController,
  ],
  providers: [
    LinkPasswordCheck,
    ResolutionStats,
    UnexpiredTrackedLinks,
    DeepLinkMatches,
    FingerprintsService,
    LinkAssociationsRepository,
    LinkAssociations,
    LinkOpenings,
    MobileClicks,
    OwnedLinks,
    LinkResolutions,
  ],
})
export class SdkMobileModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(appCors).forRoutes('api/v1/sdk/mobile/*path');
  }
}
