import { Module } from '@nestjs/common';
import { AccessModule } from '../../access/access.module';
import { AppsModule } from '../apps/apps.module';
import { CampaignsModule } from '../campaigns/campaigns.module';
import { ClicksModule } from '../clicks/clicks.module';
import { ContactsModule } from '../contacts/contacts.module';
import { CrossPlatformModule } from '../cross-platform/cross-platform.module';
import { DeepLinksModule } from '../deep-links/deep-links.module';
import { DomainsModule } from '../domains/domains.module';
import { LinksModule } from '../links/links.module';
import { AskedPasswords } from './asked-passwords';
import { Attempts } from './attempts';
import { ClickedTargets } from './clicked-targets';
import { DeepLinkMatches } from './deep-link-matches.service';
import { FingerprintsController } from './fingerprints.controller';
import { FingerprintsService } from './fingerprints.service';
import { LinkAssociationRows } from './link-association-rows';
import { LinkAssociationsController } from './link-associations.controller';
import { LinkAssociations } from './link-associations.service';
import { LinkOpenings } from './link-openings';
import { MobileClicks } from './mobile-clicks.service';
import { MobileClicksController } from './mobile-clicks.controller';
import { MobileDeepLinksController } from './mobile-deep-links.controller';
import { MobileDomainsController } from './mobile-domains.controller';
import { MobileMembersController } from './mobile-members.controller';
import { MobileResolutionsController } from './mobile-resolutions.controller';
import { OwnTargets } from './own-targets';
import { TargetResolutions } from './target-resolutions';

/** The Mobile SDK API: what apps call, each with its own key. */
@Module({
  imports: [
    AccessModule,
    AppsModule,
    CampaignsModule,
    ClicksModule,
    ContactsModule,
    CrossPlatformModule,
    DeepLinksModule,
    DomainsModule,
    LinksModule,
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
    AskedPasswords,
    Attempts,
    ClickedTargets,
    DeepLinkMatches,
    FingerprintsService,
    LinkAssociationRows,
    LinkAssociations,
    LinkOpenings,
    MobileClicks,
    OwnTargets,
    TargetResolutions,
  ],
})
export class SdkMobileModule {}
